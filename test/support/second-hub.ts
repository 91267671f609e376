import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { inject } from 'vitest';

import { cacheFolder } from '../../dev/cache/cache-folder.ts';
import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { ensureNamespace, prepareHub } from '../../dev/operator/prepare-hub.ts';
import { installClusterProfileCrd, registerSpoke } from '../../dev/operator/register-spoke.ts';
import { startOperator } from '../../dev/operator/start-operator.ts';
import { createNamespace } from '../../dev/temporal/create-namespace.ts';
import type { OperatorFleet } from './operator-fleet.ts';
import { inventoryNamespace, resourceNamespace } from './operator-fleet.ts';

/** Another hub with the same spokes, its own API server, Temporal namespace and operator. */
export interface SecondHub {
  readonly hub: Cluster;
  stop(): Promise<void>;
}

/** Starts one beside a fleet; its API server ends with the fleet, its operator with `stop`. */
export async function startSecondHub(scene: OperatorFleet, releases: string): Promise<SecondHub> {
  const { address } = inject('temporal');
  const namespace = `test-${randomUUID()}`;
  const [hub] = await Promise.all([
    scene.fleet.addCluster('hub-2', { controllers: false }),
    createNamespace(address, namespace),
  ]);
  await prepareHub(hub);
  await ensureNamespace(hub, resourceNamespace);
  await installClusterProfileCrd(hub);
  for (const spoke of scene.fleet.spokes) await registerSpoke({ hub, spoke, namespace: inventoryNamespace });
  const operator = await startOperator({
    folder: join(scene.folder, 'hub-2'),
    kubeconfigPath: hub.kubeconfigPath,
    temporal: { address, namespace },
    providerFile: scene.providerFile,
    releases,
    cache: join(cacheFolder(), 'releases'),
    workflowBundle: inject('workflowBundle'),
    environment: { SWEEP_INTERVAL_SECONDS: '5' },
  });
  return { hub, stop: () => operator.stop() };
}
