import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { remainsOn } from '../../../dev/demo/remains.ts';
import { startTcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import type { TcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { registerSpoke } from '../../../dev/operator/register-spoke.ts';
import { until } from '../../../dev/processes/until.ts';
import {
  applyComponent,
  deleteComponent,
  inventoryNamespace,
  readComponent,
  servingOn,
  startOperatorFleet,
  untilCondition,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { OperatorFleet } from '../../support/operator-fleet.ts';

describe('the operator killed without warning', () => {
  let scene: OperatorFleet;

  let proxy: TcpProxy;

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 1 });
    const { spoke } = firstSpoke();
    proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(spoke.server).port) });
    const throughProxy = { ...spoke, server: `https://127.0.0.1:${String(proxy.port)}` };
    await registerSpoke({ hub: scene.fleet.hub, spoke: throughProxy, namespace: inventoryNamespace });
  });

  afterAll(async () => {
    await scene?.stop();
    await proxy?.stop();
  });

  const firstSpoke = () => {
    const [spoke] = scene.fleet.spokes;
    if (spoke === undefined) throw new Error('a spoke is needed');
    return { spoke, serving: servingOn(spoke) };
  };

  test('a worker that dies in the middle of an apply completes the same pass after its restart, nothing lost or doubled', async () => {
    const { spoke, serving } = firstSpoke();
    const { hub } = scene.fleet;
    // Slow enough that the worker dies between two stages.
    proxy.setDelay(150);
    await applyComponent(hub, serving);
    await until('the first objects are on the spoke', 60_000, async () => {
      const found = await namesOn(spoke);
      return found.length > 3 ? true : undefined;
    });
    await scene.operator.killWorker();
    const half = (await namesOn(spoke)).length;
    proxy.setDelay(0);
    await scene.operator.startWorker();
    await untilReady(hub, serving);
    const interrupted = await namesOn(spoke);
    expect(half).toBeLessThan(interrupted.length);
    expect(new Set(interrupted).size).toBe(interrupted.length);
    await deleteComponent(hub, serving);
    await untilGone(hub, serving);
    await applyComponent(hub, serving);
    await untilReady(hub, serving);
    expect(interrupted.toSorted()).toEqual((await namesOn(spoke)).toSorted());
  });

  test('a resource deleted while worker and starter are dead is finalized after a cold start, and can be made again', async () => {
    const { spoke, serving } = firstSpoke();
    const { hub } = scene.fleet;
    await Promise.all([scene.operator.killWorker(), scene.operator.killStarter()]);
    await deleteComponent(hub, serving);
    await sleep(1_000);
    const held = await readComponent(hub, serving);
    expect(held?.metadata.deletionTimestamp).toBeDefined();
    expect(held?.metadata.finalizers).toEqual(['knativeservings.operator.knative.dev']);
    await Promise.all([scene.operator.startWorker(), scene.operator.startStarter()]);
    await untilGone(hub, serving);
    expect(await remainsOn(spoke)).toEqual([]);
    await applyComponent(hub, serving);
    await untilReady(hub, serving);
  });

  test('a workflow that somebody terminates is started again and knows its target', async () => {
    const { serving } = firstSpoke();
    const handle = scene.temporal.workflow.getHandle(`${serving.kind}/${serving.namespace}/${serving.name}`);
    await handle.terminate('a person pressed the button');
    await until('the workflow runs again', 60_000, async () =>
      (await handle.describe()).status.name === 'RUNNING' ? true : undefined,
    );
    await deleteComponent(scene.fleet.hub, serving);
    await untilGone(scene.fleet.hub, serving);
    expect(await remainsOn(firstSpoke().spoke)).toEqual([]);
  });

  test('a spoke whose packets are dropped for a minute holds its deletion, which says so and goes on when they pass again', async () => {
    const { spoke, serving } = firstSpoke();
    const { hub } = scene.fleet;
    await applyComponent(hub, serving);
    await untilReady(hub, serving);
    const droppedAt = performance.now();
    proxy.blackHole(true);
    await deleteComponent(hub, serving);
    await untilCondition(hub, serving, { type: 'Finalizing', status: 'True', reason: 'Blocked' });
    await sleep(Math.max(0, 60_000 - (performance.now() - droppedAt)));
    const held = await readComponent(hub, serving);
    expect(held?.metadata.finalizers).toEqual(['knativeservings.operator.knative.dev']);
    expect(JSON.stringify(held?.status?.conditions)).toContain('SpokeUnreachable');
    proxy.blackHole(false);
    await untilGone(hub, serving);
    expect(await remainsOn(spoke)).toEqual([]);
  });
});

async function namesOn(spoke: OperatorFleet['fleet']['spokes'][number]): Promise<readonly string[]> {
  const kinds =
    'deployments,services,configmaps,clusterroles,clusterrolebindings,serviceaccounts,hpa,pdb,crds,validatingwebhookconfigurations';
  const selector = ['-l', 'app.kubernetes.io/name=knative-serving', '-o', 'name'];
  const text = await kubectl(spoke, ['get', kinds, '-A', ...selector]);
  return text.split('\n').filter((line) => line !== '');
}
