import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { LeftoverPattern } from '../../domain/manifests/runtime-leftovers.ts';
import { runtimeLeftovers } from '../../domain/manifests/runtime-leftovers.ts';

/** Removes what Knative itself creates at run time in its namespace and leaves behind, found by name. Idempotent. */
export async function removeLeftovers(client: ClusterClient, namespace: string): Promise<void> {
  await Promise.all(runtimeLeftovers.map((pattern) => removeMatching(client, namespace, pattern)));
}

async function removeMatching(
  client: ClusterClient,
  namespace: string,
  pattern: LeftoverPattern,
): Promise<void> {
  const { apiVersion, kind } = pattern;
  const found = await client.list(apiVersion, kind, { namespace, metadataOnly: true });
  const matching = found.filter((object) => pattern.name.test(object.metadata.name ?? ''));
  await Promise.all(
    matching.map(({ metadata }) => {
      const ref = { apiVersion, kind, namespace, name: metadata.name ?? '' };
      return client.delete(ref, { uid: metadata.uid });
    }),
  );
}
