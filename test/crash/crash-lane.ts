import { join } from 'node:path';

import { cacheFolder } from '../../dev/cache/cache-folder.ts';
import { makeCertificates } from '../../dev/certificates/make-certificates.ts';
import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import type { HttpProxy } from '../../dev/fault-proxy/start-http-proxy.ts';
import { startHttpProxy } from '../../dev/fault-proxy/start-http-proxy.ts';
import { registerSpoke } from '../../dev/operator/register-spoke.ts';
import { createClusterClient } from '../../adapters/kubernetes/http-cluster-client.ts';
import { componentWorkflowId } from '../../workflows/component-workflow-id.ts';
import type { OperatorFleet } from '../support/operator-fleet.ts';
import {
  deleteComponent,
  inventoryNamespace,
  servingOn,
  startOperatorFleet,
  untilGone,
} from '../support/operator-fleet.ts';
import { createCrashGate } from './crash-gate.ts';
import type { Life, LifePoints } from './life.ts';
import { liveOnce } from './life.ts';
import { restartWorker } from './restart-worker.ts';
import { snapshot } from './snapshot.ts';

export interface CrashLaneOptions {
  readonly releases: string;
  readonly versions: readonly [string, string];
}

/** A hub, a spoke and an operator whose worker dies at chosen writes and is started again. */
export interface CrashLane {
  /** See `liveOnce`. A life that fails is ended, so that the next one begins with nothing. */
  live(points: LifePoints, expected?: Life): Promise<Life>;
  stop(): Promise<void>;
}

const environment = {
  // With cached workflows every crash would also wait for the sticky queue of the dead worker.
  MAX_CACHED_WORKFLOWS: '0',
  // Most of what a worker does until it is there again is reading its own sources.
  NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled'),
};

/** The worker reaches both its hub and its spoke through proxies, and everything else reaches them directly. */
export async function startCrashLane(options: CrashLaneOptions): Promise<CrashLane> {
  const certificates = await makeCertificates(['IP:127.0.0.1']);
  const proxies: HttpProxy[] = [];
  const through = async (target: Pick<Cluster, 'server' | 'caPem'>) => {
    const proxy = await startHttpProxy({ target, certificate: certificates.server });
    proxies.push(proxy);
    return proxy;
  };
  let scene: OperatorFleet | undefined;
  const { releases, versions } = options;
  const gate = createCrashGate(async () => {
    if (scene !== undefined) await restartWorker(scene, [componentWorkflowId(component, '')]);
  });
  scene = await startOperatorFleet({
    spokes: 1,
    releases,
    environment,
    async hubAccess(hub) {
      const proxy = await through(hub);
      proxy.inject(gate.plans.hub);
      return { server: proxy.server, caPem: certificates.authority, workerOnly: true };
    },
  });
  const [spoke] = scene.fleet.spokes;
  if (spoke === undefined) throw new Error('a spoke is needed');
  const component = servingOn(spoke);
  const proxy = await through(spoke);
  proxy.inject(gate.plans.spoke);
  const registration = { ...spoke, server: proxy.server, caPem: certificates.authority };
  const { hub } = scene.fleet;
  await registerSpoke({ hub, spoke: registration, namespace: inventoryNamespace });
  const { server, caPem, token } = spoke;
  const access = { server, certificateAuthority: caPem, credential: () => Promise.resolve({ token }) };
  const client = createClusterClient(access, { fieldManager: 'crash-test' });
  await putBystanders(spoke);
  const lifeScene = { scene, component, gate, versions, take: () => snapshot(client, component) };
  return {
    async live(points, expected) {
      try {
        return await liveOnce(lifeScene, points, expected);
      } catch (error) {
        await gate.struck;
        await deleteComponent(hub, component).catch(() => undefined);
        await untilGone(hub, component).catch(() => undefined);
        throw error;
      }
    },
    async stop() {
      await client.close();
      await lifeScene.scene.stop();
      await Promise.all(proxies.map((one) => one.stop()));
    },
  };
}

/** Objects that look like ours and are not; every snapshot has to contain them. */
async function putBystanders(spoke: Parameters<typeof kubectl>[0]): Promise<void> {
  const labels = {
    'app.kubernetes.io/name': 'knative-serving',
    'app.kubernetes.io/part-of': 'knative-serving',
  };
  const items = [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'config-theirs', namespace: 'default', labels },
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'knative-serving-theirs', labels },
      rules: [],
    },
  ];
  const fieldManager = '--field-manager=knative-fleet';
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await kubectl(spoke, ['apply', '--server-side', fieldManager, '-f', '-'], list);
}
