import { groupOf, isRecord, listAt, stringAt } from '../../domain/manifests/object.ts';

/** One resource type as the server offers it. */
export interface ApiResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** The version that the server prefers for the group. */
  readonly preferred: boolean;
}

/** What one discovery document says. */
export interface OfferedResources {
  readonly resources: readonly ApiResource[];
  /** Group versions whose own server does not answer now: nothing is known about their kinds. */
  readonly unavailable: readonly string[];
}

interface GroupVersion {
  readonly apiVersion: string;
  readonly preferred: boolean;
}

/** Reads an APIGroupDiscoveryList (apidiscovery.k8s.io/v2); undefined when the document is something else. */
export function parseAggregated(body: unknown): OfferedResources | undefined {
  if (stringAt(body, 'kind') !== 'APIGroupDiscoveryList') return undefined;
  const versions = listAt(body, 'items').flatMap((group) => {
    const name = stringAt(group, 'metadata', 'name') ?? '';
    return listAt(group, 'versions').map((version, position) => {
      const label = stringAt(version, 'version') ?? '';
      return { version, apiVersion: name === '' ? label : `${name}/${label}`, preferred: position === 0 };
    });
  });
  return {
    resources: versions.flatMap(({ version, apiVersion, preferred }) =>
      listAt(version, 'resources').flatMap((resource) =>
        offered(resource, { apiVersion, preferred, kind: stringAt(resource, 'responseKind', 'kind') }),
      ),
    ),
    unavailable: versions
      .filter(({ version }) => stringAt(version, 'freshness') === 'Stale')
      .map(({ apiVersion }) => apiVersion),
  };
}

function offered(
  resource: unknown,
  about: GroupVersion & { readonly kind: string | undefined },
): readonly ApiResource[] {
  const plural = stringAt(resource, 'resource');
  const { apiVersion, preferred, kind } = about;
  if (kind === undefined || plural === undefined || !isRecord(resource)) return [];
  const namespaced = resource['scope'] === 'Namespaced';
  return [{ apiVersion, preferred, kind, plural, namespaced, verbs: verbsOf(resource) }];
}

/** Reads what servers answer that do not aggregate: an APIVersions or an APIGroupList; undefined for anything else. */
export function parseGroupVersions(body: unknown): readonly GroupVersion[] | undefined {
  const kind = stringAt(body, 'kind');
  if (kind === 'APIVersions') {
    return listAt(body, 'versions')
      .filter((version) => typeof version === 'string')
      .map((version, position) => ({ apiVersion: version, preferred: position === 0 }));
  }
  if (kind !== 'APIGroupList') return undefined;
  return listAt(body, 'groups').flatMap((group) => {
    const preferred = stringAt(group, 'preferredVersion', 'groupVersion');
    return listAt(group, 'versions').flatMap((version) => {
      const apiVersion = stringAt(version, 'groupVersion');
      return apiVersion === undefined ? [] : [{ apiVersion, preferred: apiVersion === preferred }];
    });
  });
}

/** Reads an APIResourceList, subresources left out. */
export function parseResourceList(body: unknown, version: GroupVersion): readonly ApiResource[] {
  return listAt(body, 'resources').flatMap((resource) => {
    const kind = stringAt(resource, 'kind');
    const plural = stringAt(resource, 'name');
    if (kind === undefined || plural === undefined || plural.includes('/') || !isRecord(resource)) return [];
    return [
      { ...version, kind, plural, namespaced: resource['namespaced'] === true, verbs: verbsOf(resource) },
    ];
  });
}

function verbsOf(resource: unknown): readonly string[] {
  return listAt(resource, 'verbs').filter((verb) => typeof verb === 'string');
}

/** One version of each resource: the one that the server prefers, or the first that has it. */
export function inPreferredVersions(resources: readonly ApiResource[]): readonly ApiResource[] {
  const chosen = new Map<string, ApiResource>();
  for (const resource of resources) {
    const key = `${groupOf(resource.apiVersion)}/${resource.plural}`;
    if (resource.preferred || !chosen.has(key)) chosen.set(key, resource);
  }
  return [...chosen.values()];
}
