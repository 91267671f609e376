import type { CallOptions, ClusterClient } from './cluster-client.ts';

/** UID of namespace kube-system, which is the identity of a cluster; undefined for a server without that namespace. */
export async function readClusterUID(
  client: Pick<ClusterClient, 'get'>,
  options: CallOptions = {},
): Promise<string | undefined> {
  const ref = { apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' };
  const namespace = await client.get(ref, { ...options, metadataOnly: true });
  const uid = namespace?.metadata.uid;
  return uid === '' ? undefined : uid;
}
