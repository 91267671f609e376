import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord, listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';

/** The two aggregated discovery documents of a real API server. */
export interface DiscoveryDocuments {
  readonly core: unknown;
  readonly groups: unknown;
}

/** The groups of a real server, and one more for each CRD that was applied here. */
export function withCrds(documents: DiscoveryDocuments, crds: readonly ManifestObject[]): unknown {
  const known = listAt(documents.groups, 'items');
  const served = crds
    .map(groupOf)
    .filter(({ metadata: { name } }) => !known.some((group) => nameOf(group) === name));
  return { ...recordAt(documents.groups), kind: 'APIGroupDiscoveryList', items: [...known, ...served] };
}

/** Kind of a collection path such as `/apis/apps/v1/namespaces/one/deployments`. */
export function kindAt(collection: string, ...documents: readonly unknown[]): string {
  const parts = collection.split('/');
  const [group, version] = parts[1] === 'api' ? ['', parts[2]] : [parts[2], parts[3]];
  const plural = parts.at(-1);
  const resources = documents
    .flatMap((document) => listAt(document, 'items'))
    .filter((item) => nameOf(item) === group)
    .flatMap((item) => listAt(item, 'versions'))
    .filter((item) => stringAt(item, 'version') === version)
    .flatMap((item) => listAt(item, 'resources'));
  const found = resources.find((resource) => stringAt(resource, 'resource') === plural);
  return stringAt(found, 'responseKind', 'kind') ?? 'Unknown';
}

function nameOf(group: unknown): string {
  return stringAt(group, 'metadata', 'name') ?? '';
}

const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

function groupOf(crd: ManifestObject): { metadata: { name: string }; versions: readonly object[] } {
  const spec = recordAt(crd, 'spec');
  const name = stringAt(spec, 'group') ?? '';
  const versions = listAt(spec, 'versions')
    .filter(isRecord)
    .map((version) => {
      const label = stringAt(version, 'version') ?? stringAt(version, 'name') ?? '';
      const responseKind = { group: name, version: label, kind: stringAt(spec, 'names', 'kind') };
      const resource = {
        resource: stringAt(spec, 'names', 'plural'),
        responseKind,
        scope: spec['scope'],
        verbs,
      };
      return { version: label, resources: [resource] };
    });
  return { metadata: { name }, versions };
}
