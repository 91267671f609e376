import type { Cluster } from '../control-plane/cluster.ts';
import { kubectl } from '../control-plane/kubectl.ts';

/** A token of a service account that exists, valid for an hour. */
export async function serviceAccountToken(
  cluster: Pick<Cluster, 'kubectlPath' | 'kubeconfigPath'>,
  account: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const token = await kubectl(cluster, ['create', 'token', account.name, '-n', account.namespace]);
  return token.trim();
}
