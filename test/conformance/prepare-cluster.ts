import { ensureNamespace } from '../../dev/operator/prepare-hub.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import type { Cluster } from '../../dev/control-plane/cluster.ts';

const namespaces = ['istio-system', 'my-istio', 'other-istio'];

/** Gives a cluster what the recorded ones had: kinds of Istio and Contour, and namespaces for gateways. */
export async function prepareCluster(
  cluster: Pick<Cluster, 'kubectlPath' | 'kubeconfigPath'>,
  stubs: string,
): Promise<void> {
  await kubectl(cluster, ['apply', '-f', stubs]);
  await kubectl(cluster, ['wait', '--for=condition=Established', '--timeout=60s', '-f', stubs]);
  for (const namespace of namespaces) await ensureNamespace(cluster, namespace);
}
