import { fileURLToPath } from 'node:url';

import type { Cluster } from '../control-plane/cluster.ts';
import { kubectl } from '../control-plane/kubectl.ts';
import { messageOf } from '../../domain/errors.ts';
import { until } from '../processes/until.ts';

/** Namespace of the operator's own objects on a hub that was prepared here. */
export const operatorNamespace = 'knative-operator';

const crds = ['knativeservings', 'knativeeventings'].map((plural) =>
  fileURLToPath(new URL(`../../deploy/crds/operator.knative.dev_${plural}.yaml`, import.meta.url)),
);

/** Installs the two CRDs and the operator's namespace on a hub and waits until both kinds are served. Idempotent. */
export async function prepareHub(hub: Pick<Cluster, 'kubectlPath' | 'kubeconfigPath'>): Promise<void> {
  const files = crds.flatMap((file) => ['-f', file]);
  await kubectl(hub, ['apply', '--server-side', '--force-conflicts', ...files]);
  await until('the CRDs are established', 60_000, async () => {
    // kubectl refuses to wait for an object that has no conditions yet.
    await kubectl(hub, ['wait', '--for=condition=Established', '--timeout=60s', ...files]);
    return true;
  });
  await ensureNamespace(hub, operatorNamespace);
}

/** Idempotent, and may run at once with others. */
export async function ensureNamespace(
  cluster: Pick<Cluster, 'kubectlPath' | 'kubeconfigPath'>,
  name: string,
): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  try {
    await kubectl(cluster, ['apply', '-f', '-'], JSON.stringify(namespace));
  } catch (error) {
    // Somebody else was faster.
    if (!messageOf(error).includes('AlreadyExists')) throw error;
  }
}
