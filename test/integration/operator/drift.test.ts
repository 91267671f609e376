import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import { until } from '../../../dev/processes/until.ts';
import {
  applyComponent,
  resourceNamespace,
  servingOn,
  startOperatorFleet,
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
  // Its first comparison must be behind it: what happens before is found by that one.
  await sleep(3_000);
});

afterAll(async () => {
  await scene?.stop();
});

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
    const before = await read('deployment', 'controller');
    await kubectl(spoke, ['delete', 'deployment', 'controller', '-n', namespace, '--wait=false']);
    const after = await until('the Deployment is there again', 60_000, async () => {
      const found = await read('deployment', 'controller');
      return found !== undefined && found.metadata.uid !== before?.metadata.uid ? found : undefined;
    });
    expect(after).toBeDefined();
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
});
