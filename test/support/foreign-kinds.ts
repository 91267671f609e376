import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { ensureNamespace } from '../../dev/operator/prepare-hub.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';

type Reachable = Pick<Cluster, 'kubectlPath' | 'kubeconfigPath'>;

/**
 * Gives a cluster what the objects need before it takes them: their namespaces, and the kinds that it does not serve, as
 * definitions that accept every field. An object without a namespace makes its kind cluster-scoped.
 */
export async function installForeignKinds(
  cluster: Reachable,
  objects: readonly ManifestObject[],
): Promise<void> {
  const served = await servedKinds(cluster);
  const definitions = new Map<string, object>();
  for (const object of objects) {
    if (served.has(`${object.apiVersion} ${object.kind}`)) continue;
    const definition = definitionOf(object);
    definitions.set(definition.metadata.name, definition);
  }
  if (definitions.size > 0) {
    const text = [...definitions.values()].map((definition) => JSON.stringify(definition)).join('\n---\n');
    await kubectl(cluster, ['apply', '-f', '-'], text);
    const names = [...definitions.keys()].map((name) => `crd/${name}`);
    await kubectl(cluster, ['wait', '--for=condition=Established', '--timeout=60s', ...names]);
  }
  const namespaces = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  for (const namespace of namespaces) await ensureNamespace(cluster, namespace);
}

async function servedKinds(cluster: Reachable): Promise<ReadonlySet<string>> {
  const lines = (await kubectl(cluster, ['api-resources', '--no-headers'])).split('\n');
  return new Set(
    lines.map((line) => {
      const [kind, , apiVersion] = line.trim().split(/\s+/).toReversed();
      return `${apiVersion ?? ''} ${kind ?? ''}`;
    }),
  );
}

function definitionOf({ apiVersion, kind, metadata }: ManifestObject) {
  const [group = '', version = ''] = apiVersion.split('/');
  const singular = kind.toLowerCase();
  const plural = `${singular}${singular.endsWith('s') ? 'es' : 's'}`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // The API server asks for this in groups that end in k8s.io.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, a stub for tests' },
    },
    spec: {
      group,
      scope: metadata.namespace === undefined ? 'Cluster' : 'Namespaced',
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
