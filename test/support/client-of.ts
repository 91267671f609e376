import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { createClusterClient } from '../../adapters/kubernetes/http-cluster-client.ts';
import type { Cluster } from '../../dev/control-plane/cluster.ts';

/** A client with all rights that writes as somebody else than the operator; the caller closes it. */
export function clientOf(
  { server, caPem, token }: Pick<Cluster, 'server' | 'caPem' | 'token'>,
  fieldManager: string,
): ClusterClient {
  const credential = (): Promise<{ token: string }> => Promise.resolve({ token });
  return createClusterClient({ server, certificateAuthority: caPem, credential }, { fieldManager });
}
