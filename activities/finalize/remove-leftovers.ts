import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { Leftover } from '../../domain/manifests/runtime-leftovers.ts';
import { runtimeLeftovers } from '../../domain/manifests/runtime-leftovers.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';

/** Removes what Knative itself creates at run time in its namespace and leaves behind, found by name. Idempotent. */
export async function removeLeftovers(client: ClusterClient, namespace: string): Promise<void> {
  await Promise.all(runtimeLeftovers.map((leftover) => removeAll(client, namespace, leftover)));
}

async function removeAll(client: ClusterClient, namespace: string, leftover: Leftover): Promise<void> {
  const { apiVersion, kind } = leftover;
  const found = await find(client, namespace, leftover);
  await Promise.all(
    found.map(({ metadata }) => {
      const ref = { apiVersion, kind, namespace, name: metadata.name ?? '' };
      return client.delete(ref, { uid: metadata.uid });
    }),
  );
}

async function find(
  client: ClusterClient,
  namespace: string,
  { apiVersion, kind, pattern, names = [] }: Leftover,
): Promise<readonly ManifestObject[]> {
  if (pattern !== undefined) {
    const listed = await client.list(apiVersion, kind, { namespace, metadataOnly: true });
    return listed.filter((object) => pattern.test(object.metadata.name ?? ''));
  }
  const read = names.map((name) => client.get({ apiVersion, kind, namespace, name }, { metadataOnly: true }));
  return (await Promise.all(read)).filter((object) => object !== undefined);
}
