import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import { until } from '../../../dev/processes/until.ts';
import type { ObservedServing } from '../../support/observed-serving.ts';
import { observedServing } from '../../support/observed-serving.ts';
import {
  applyComponent,
  deleteComponent,
  servingOn,
  startOperatorFleet,
  untilCondition,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';

const namespace = 'knative-serving';
const intervalSeconds = 10;

let scene: OperatorFleet;
let spoke: Cluster;
let serving: Component;
let observed: ObservedServing;

beforeAll(async () => {
  scene = await startOperatorFleet({ spokes: 1 });
  const [first] = scene.fleet.spokes;
  if (first === undefined) throw new Error('a spoke is needed');
  spoke = first;
  serving = servingOn(spoke, { drift: { interval: `${String(intervalSeconds)}s` } });
  observed = observedServing(scene, spoke, serving);
  await applyComponent(scene.fleet.hub, serving);
  await untilReady(scene.fleet.hub, serving);
  await untilObserved();
});

afterAll(async () => {
  await scene?.stop();
});

const ready = () => untilReady(scene.fleet.hub, serving);

/** An observer runs and its first comparison is behind it: what happens before is found by that one. */
async function untilObserved(): Promise<void> {
  await until('the observer runs', 60_000, async () => (await observed.observers()).length > 0 || undefined);
  await sleep(4_000);
}

async function removeAndAwait(kind: string, name: string): Promise<void> {
  const before = await observed.read(kind, name);
  await kubectl(spoke, ['delete', kind, name, '-n', namespace, '--wait=false']);
  await observed.untilAnother(kind, name, before?.metadata.uid);
}

describe('drift on a spoke', () => {
  test('a deleted Deployment comes back at once, and an event names it', async () => {
    await removeAndAwait('deployment', 'controller');
    const told = await observed.untilEvent('DriftRepaired', [
      `Deployment ${namespace}/controller was deleted`,
    ]);
    expect(told).not.toContain(' more');
    await ready();
  });

  test.each(['kubectl-edit', 'some-controller'])(
    'an entry of a ConfigMap that %s changed is put right at once, and an event names entry and manager',
    async (manager) => {
      const before = await observed.read('configmap', 'config-features');
      const [key = '', value] = Object.entries(before?.data ?? {})[0] ?? [];
      await observed.patch('configmap', 'config-features', { data: { [key]: 'changed' } }, manager);
      await until('the entry is as it was', 60_000, async () => {
        const found = await observed.read('configmap', 'config-features');
        return found?.data?.[key] === value || undefined;
      });
      await observed.untilEvent('DriftRepaired', [
        `ConfigMap ${namespace}/config-features was edited by ${manager}`,
        `.data.${key}`,
      ]);
      await ready();
    },
  );

  test('a ClusterRole that somebody changed is put right at the interval', async () => {
    const name = 'knative-serving-core';
    const { rules } = (await observed.read('clusterrole', name)) ?? {};
    await observed.patch('clusterrole', name, { rules: [] }, 'somebody');
    await until('the rules are as they were', 60_000, async () => {
      const role = await observed.read('clusterrole', name);
      return JSON.stringify(role?.rules) === JSON.stringify(rules) || undefined;
    });
    await observed.untilEvent('DriftRepaired', [`ClusterRole ${name} was edited by somebody`, '.rules']);
    await ready();
  });

  test('a CRD that lost a label is put right at the interval', async () => {
    const crd = 'services.serving.knative.dev';
    const label = 'jsonpath={.metadata.labels.app\\.kubernetes\\.io/name}';
    await kubectl(spoke, ['label', 'crd', crd, 'app.kubernetes.io/name-']);
    await until(
      'the label is there again',
      60_000,
      async () => (await kubectl(spoke, ['get', 'crd', crd, '-o', label])) !== '' || undefined,
    );
    // Who only removes a field owns nothing afterwards, so the object does not tell who that was.
    await observed.untilEvent('DriftRepaired', [
      `CustomResourceDefinition ${crd} was edited`,
      '.metadata.labels.app.kubernetes.io/name',
    ]);
    await ready();
  });

  test('what others add and what is ceded to them stays, and causes no write', async () => {
    const autoscalers = await kubectl(spoke, ['get', 'hpa', '-n', namespace, '-o', 'json']);
    const { items } = JSON.parse(autoscalers) as {
      items: { spec: { scaleTargetRef: { name: string } } }[];
    };
    const workload = items[0]?.spec.scaleTargetRef.name ?? '';
    await observed.patch('configmap', 'config-features', { data: { 'a-person-added': 'this' } });
    await kubectl(spoke, ['annotate', 'service', 'controller', '-n', namespace, 'team=a']);
    await kubectl(spoke, ['scale', 'deployment', workload, '-n', namespace, '--replicas=3']);
    await sleep(2_000);
    const [before, history] = [await observed.versions(), await observed.historyLength()];
    await sleep((intervalSeconds + 4) * 1_000);
    expect(await observed.versions()).toEqual(before);
    expect(await observed.historyLength()).toBe(history);
    const config = await observed.read('configmap', 'config-features');
    expect(config?.data?.['a-person-added']).toBe('this');
    expect((await observed.read('deployment', workload))?.spec?.replicas).toBe(3);
    await ready();
  });

  test('a paused component is not repaired until it is resumed', async () => {
    const { hub } = scene.fleet;
    const set = (paused: boolean) => applyComponent(hub, { ...serving, spec: { ...serving.spec, paused } });
    await set(true);
    await until('it is held', 60_000, async () => (await observed.phase()) === 'Suspended' || undefined);
    // The observer hears of it by a watch of its own.
    await sleep(3_000);
    const history = await observed.historyLength();
    await kubectl(spoke, ['delete', 'service', 'controller', '-n', namespace]);
    await sleep((intervalSeconds + 2) * 1_000);
    expect(await observed.read('service', 'controller')).toBeUndefined();
    expect(await observed.historyLength()).toBe(history);
    await set(false);
    await observed.untilAnother('service', 'controller', undefined);
    await ready();
  });

  test('an observer that somebody terminates is started again, and one whose worker was killed goes on', async () => {
    const [id = ''] = await observed.observers();
    await scene.temporal.workflow.getHandle(id).terminate('a person pressed the button');
    await untilObserved();
    await removeAndAwait('deployment', 'webhook');
    await ready();

    await scene.operator.killWorker();
    await kubectl(spoke, ['delete', 'deployment', 'autoscaler', '-n', namespace, '--wait=false']);
    await scene.operator.startWorker();
    await observed.untilAnother('deployment', 'autoscaler', undefined);
    await ready();
  });

  test('repairs that do not hold become rarer, and an event says who fights', async () => {
    const [name, key] = ['config-deployment', 'queue-sidecar-image'];
    const entry = async () => (await observed.read('configmap', name))?.data?.[key];
    let written = 0;
    const stop = new AbortController();
    const fight = (async () => {
      while (!stop.signal.aborted) {
        if ((await entry()) !== 'fought-for') {
          await observed.patch('configmap', name, { data: { [key]: 'fought-for' } }, 'fighter');
          written += 1;
        }
        await sleep(100);
      }
    })();
    const told = await observed.untilEvent('DriftReturns', [`ConfigMap ${namespace}/${name}`]);
    expect(told).toContain('by fighter');
    expect(told).toContain(`.data.${key}`);
    const before = written;
    await sleep(12_000);
    expect(written - before).toBeLessThanOrEqual(1);
    await until('the workflow says so', 60_000, async () => {
      return (await observed.currentDetails()).includes('it comes back') || undefined;
    });
    stop.abort();
    await fight;
    await until('the entry is as it was', 120_000, async () => (await entry()) !== 'fought-for' || undefined);
  });

  test('the observer ends when no component names the target any more', async () => {
    const { hub } = scene.fleet;
    await untilCondition(hub, serving, { type: 'Ready', status: 'True' });
    await deleteComponent(hub, serving);
    await untilGone(hub, serving);
    await until(
      'no observer runs',
      60_000,
      async () => (await observed.observers()).length === 0 || undefined,
    );
  });
});
