import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import { until } from '../../../dev/processes/until.ts';
import {
  applyComponent,
  deleteComponent,
  resourceNamespace,
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

beforeAll(async () => {
  scene = await startOperatorFleet({ spokes: 1 });
  const [first] = scene.fleet.spokes;
  if (first === undefined) throw new Error('a spoke is needed');
  spoke = first;
  serving = servingOn(spoke, { drift: { interval: `${String(intervalSeconds)}s` } });
  await applyComponent(scene.fleet.hub, serving);
  await untilReady(scene.fleet.hub, serving);
  await until('the observer runs', 30_000, async () => (await observers()).length > 0 || undefined);
  await settled();
});

afterAll(async () => {
  await scene?.stop();
});

/** What happens before the observer's first comparison is found by that one, so tests begin after it. */
const settled = () => sleep(4_000);

async function observers(): Promise<readonly string[]> {
  const query = `WorkflowType = 'SpokeObserver' AND ExecutionStatus = 'Running'`;
  const ids: string[] = [];
  for await (const { workflowId } of scene.temporal.workflow.list({ query })) ids.push(workflowId);
  return ids;
}

interface Live {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly object[];
  readonly spec?: { readonly replicas?: number };
}

async function read(kind: string, name: string): Promise<Live | undefined> {
  const text = await kubectl(spoke, ['get', kind, name, '-n', namespace, '-o', 'json', '--ignore-not-found']);
  return text === '' ? undefined : (JSON.parse(text) as Live);
}

async function messages(reason: string): Promise<readonly string[]> {
  const args = ['get', 'events', '-n', resourceNamespace, '-o', 'json', `--field-selector=reason=${reason}`];
  const { items } = JSON.parse(await kubectl(scene.fleet.hub, args)) as { items: { message: string }[] };
  return items.map(({ message }) => message);
}

async function untilEvent(reason: string, parts: readonly string[]): Promise<string> {
  return until(`event ${reason} with ${parts.join(', ')}`, 60_000, async () => {
    const found = await messages(reason);
    return found.find((message) => parts.every((part) => message.includes(part)));
  }).catch(async (error: unknown) => {
    throw new Error(`${String(error)}; there are ${(await messages(reason)).join(' | ')}`);
  });
}

const patch = (kind: string, name: string, body: object, manager = 'kubectl-edit') =>
  kubectl(spoke, [
    'patch',
    kind,
    name,
    '-n',
    namespace,
    '--type=merge',
    `--field-manager=${manager}`,
    '-p',
    JSON.stringify(body),
  ]);

describe('drift on a spoke', () => {
  test('a deleted Deployment comes back at once, and an event names it', async () => {
    await deleteAndAwait('deployment', 'controller');
    await untilEvent('DriftRepaired', [`Deployment ${namespace}/controller was deleted`]);
    await untilReady(scene.fleet.hub, serving);
  });

  test.each(['kubectl-edit', 'some-controller'])(
    'an entry of a ConfigMap that %s changed is put right at once, and an event names entry and manager',
    async (manager) => {
      const before = await read('configmap', 'config-features');
      const [key = '', value] = Object.entries(before?.data ?? {})[0] ?? [];
      await patch('configmap', 'config-features', { data: { [key]: 'changed' } }, manager);
      await until('the entry is as it was', 60_000, async () => {
        const found = await read('configmap', 'config-features');
        return found?.data?.[key] === value || undefined;
      });
      await untilEvent('DriftRepaired', [
        `ConfigMap ${namespace}/config-features was edited by ${manager}`,
        `.data.${key}`,
      ]);
    },
  );

  test('a change of what is not watched is put right at the interval: a ClusterRole, and the label of a CRD', async () => {
    const crd = 'services.serving.knative.dev';
    const label = 'jsonpath={.metadata.labels.app\\.kubernetes\\.io/name}';
    const { rules } = (await read('clusterrole', 'knative-serving-core')) ?? {};
    await patch('clusterrole', 'knative-serving-core', { rules: [] }, 'somebody');
    await kubectl(spoke, ['label', 'crd', crd, 'app.kubernetes.io/name-']);
    await until('both are as they were', 60_000, async () => {
      const role = await read('clusterrole', 'knative-serving-core');
      const labelled = await kubectl(spoke, ['get', 'crd', crd, '-o', label]);
      return (JSON.stringify(role?.rules) === JSON.stringify(rules) && labelled !== '') || undefined;
    });
    await untilEvent('DriftRepaired', ['ClusterRole knative-serving-core was edited by somebody', '.rules']);
    await untilEvent('DriftRepaired', [`CustomResourceDefinition ${crd} was edited by kubectl-label`]);
  });

  test('what others add and what is ceded to them stays, and causes no write', async () => {
    await settled();
    const { hub } = scene.fleet;
    const scaled = JSON.parse(await kubectl(spoke, ['get', 'hpa', '-n', namespace, '-o', 'json'])) as {
      items: { spec: { scaleTargetRef: { name: string } } }[];
    };
    const workload = scaled.items[0]?.spec.scaleTargetRef.name ?? '';
    await patch('configmap', 'config-features', { data: { 'a-person-added': 'this' } });
    await kubectl(spoke, ['annotate', 'service', 'controller', '-n', namespace, 'team=a']);
    await kubectl(spoke, ['scale', 'deployment', workload, '-n', namespace, '--replicas=3']);
    await sleep(2_000);
    const [before, history] = [await versions(), await historyLength()];
    await sleep((intervalSeconds * 2 + 5) * 1_000);
    expect(await versions()).toEqual(before);
    expect(await historyLength()).toBe(history);
    expect((await read('configmap', 'config-features'))?.data?.['a-person-added']).toBe('this');
    expect((await read('deployment', workload))?.spec?.replicas).toBe(3);
    await untilReady(hub, serving);
  });

  test('a paused component is not repaired until it is resumed', async () => {
    const { hub } = scene.fleet;
    const paused = { ...serving, spec: { ...serving.spec, paused: true } };
    await applyComponent(hub, paused);
    await until('it is held', 60_000, async () => (await phase()) === 'Suspended' || undefined);
    const history = await historyLength();
    await kubectl(spoke, ['delete', 'service', 'controller', '-n', namespace]);
    await sleep((intervalSeconds + 3) * 1_000);
    expect(await read('service', 'controller')).toBeUndefined();
    expect(await historyLength()).toBe(history);
    await applyComponent(hub, { ...serving, spec: { ...serving.spec, paused: false } });
    await until('the Service is there again', 60_000, () => read('service', 'controller'));
    await untilReady(hub, serving);
    await settled();
  });

  test('an observer that somebody terminates is started again, and a worker that was killed goes on', async () => {
    const [id = ''] = await observers();
    await scene.temporal.workflow.getHandle(id).terminate('a person pressed the button');
    await until('the observer runs again', 60_000, async () => (await observers()).length > 0 || undefined);
    await settled();
    await deleteAndAwait('deployment', 'webhook');
    await untilReady(scene.fleet.hub, serving);

    await scene.operator.killWorker();
    await kubectl(spoke, ['delete', 'deployment', 'autoscaler', '-n', namespace, '--wait=false']);
    await scene.operator.startWorker();
    await until('the Deployment is there again', 90_000, () => read('deployment', 'autoscaler'));
    await untilReady(scene.fleet.hub, serving);
    await settled();
  });

  test('repairs that do not hold become rarer, and an event says who fights', async () => {
    const config = { data: { 'queue-sidecar-image': 'fought-for' } };
    let written = 0;
    const stop = new AbortController();
    const fight = (async () => {
      while (!stop.signal.aborted) {
        const found = await read('configmap', 'config-deployment');
        if (found?.data?.['queue-sidecar-image'] !== 'fought-for') {
          await patch('configmap', 'config-deployment', config, 'fighter');
          written += 1;
        }
        await sleep(100);
      }
    })();
    const told = await untilEvent('DriftReturns', [`ConfigMap ${namespace}/config-deployment`]);
    expect(told).toContain('by fighter');
    expect(told).toContain('.data.queue-sidecar-image');
    const before = written;
    await sleep(20_000);
    expect(written - before).toBeLessThanOrEqual(2);
    const details = await currentDetails();
    stop.abort();
    await fight;
    expect(details).toContain('it comes back');
    await until('the entry is as it was', 120_000, async () => {
      const found = await read('configmap', 'config-deployment');
      return found?.data?.['queue-sidecar-image'] !== 'fought-for' || undefined;
    });
  });

  test('the observer ends when no component names the target any more', async () => {
    await untilCondition(scene.fleet.hub, serving, { type: 'Ready', status: 'True' });
    await deleteComponent(scene.fleet.hub, serving);
    await untilGone(scene.fleet.hub, serving);
    await until('no observer runs', 60_000, async () => (await observers()).length === 0 || undefined);
  });
});

async function deleteAndAwait(kind: string, name: string): Promise<void> {
  const before = await read(kind, name);
  await kubectl(spoke, ['delete', kind, name, '-n', namespace, '--wait=false']);
  await until(`${kind} ${name} is there again`, 90_000, async () => {
    const found = await read(kind, name);
    return found !== undefined && found.metadata.uid !== before?.metadata.uid ? found : undefined;
  });
}

function workflow() {
  return scene.temporal.workflow.getHandle(`${serving.kind}/${serving.namespace}/${serving.name}`);
}

async function historyLength(): Promise<number> {
  return (await workflow().describe()).historyLength;
}

async function phase(): Promise<unknown> {
  return (await workflow().describe()).searchAttributes['KnPhase']?.[0];
}

async function currentDetails(): Promise<string> {
  const metadata = await workflow().query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

/** Name and resourceVersion of everything that the component has on the spoke. */
async function versions(): Promise<readonly string[]> {
  const kinds =
    'deployments,services,configmaps,secrets,serviceaccounts,roles,rolebindings,clusterroles,clusterrolebindings,hpa,pdb,crds,validatingwebhookconfigurations,mutatingwebhookconfigurations';
  const path = '{range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';
  const selector = ['-l', 'app.kubernetes.io/name=knative-serving', '-o', `jsonpath=${path}`];
  const text = await kubectl(spoke, ['get', kinds, '-A', ...selector]);
  // The Deployment that was scaled rolls out meanwhile: its own controllers write.
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('Deployment/'));
}
