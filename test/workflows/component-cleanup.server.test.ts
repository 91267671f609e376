import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { until } from '../../dev/processes/until.ts';
import { createNamespace } from '../../dev/temporal/create-namespace.ts';
import * as messages from '../../workflows/messages.ts';
import { recordHistory } from '../support/record-history.ts';
import type { Component, WorkflowBench } from '../support/workflow-bench.ts';
import { failWith, openWorkflowBench, untilCancelled } from '../support/workflow-bench.ts';

let bench: WorkflowBench;

beforeAll(async () => {
  const { address } = inject('temporal');
  const namespace = `cleanup-${randomUUID().slice(0, 8)}`;
  await createNamespace(address, namespace);
  bench = await openWorkflowBench({ address, namespace, workflowBundle: inject('workflowBundle') });
  await bench.startWorkers();
});

afterAll(async () => {
  await bench.stop();
});

async function attributesOf({ handle }: Component): Promise<Record<string, unknown>> {
  return { ...(await handle.describe()).searchAttributes };
}

describe('a deferred removal', () => {
  test('goes on until the spoke is back, and a change of the ClusterProfile wakes it at once', async () => {
    let back = false;
    const component = await bench.startCleanup({
      cleanUpTarget: async () =>
        back ? { outcome: 'clean', removed: 3, pending: 0 } : failWith('SpokeUnreachable'),
    });
    await component.began('cleanUpTarget', 4);
    await until('its failure is shown', 30_000, async () => {
      const { KnReason: reason } = await attributesOf(component);
      return Array.isArray(reason) && reason[0] === 'SpokeUnreachable' ? true : undefined;
    });
    back = true;
    await component.handle.signal(messages.targetChanged, { hash: 'new' });
    expect(await component.handle.result()).toBe('clean');
    expect(await attributesOf(component)).toMatchObject({
      KnSpoke: ['fleet/spoke-1'],
      KnPhase: ['Finalized'],
    });
    await recordHistory('cleanup-after-outage', component.handle);
  });

  test('is given up by a signal that has a reason, and only by one', async () => {
    const component = await bench.startCleanup({
      cleanUpTarget: async ({ giveUp }) =>
        giveUp === undefined ? untilCancelled() : { outcome: 'abandoned', removed: 0, pending: 3 },
    });
    await component.began('cleanUpTarget');
    await component.handle.signal(messages.forceCleanup, { reason: ' ', requestedBy: 'ann' });
    await component.handle.signal(messages.forceCleanup, { reason: 'sold', requestedBy: 'ann' });
    expect(await component.handle.result()).toBe('abandoned');
    expect(component.argumentsOf('cleanUpTarget').map(({ giveUp }) => giveUp?.reason)).toEqual([
      undefined,
      'sold',
    ]);
    expect(await attributesOf(component)).toMatchObject({ KnAbandoned: [true] });
  });

  test('tells the component that owns the spoke now that it has something to prune', async () => {
    const owner = await bench.start();
    await owner.reaches('Ready');
    const component = await bench.startCleanup({
      cleanUpTarget: async () => ({ outcome: 'joined', removed: 0, pending: 0, owner: owner.input.ref }),
    });
    expect(await component.handle.result()).toBe('joined');
    await owner.began('resolveTarget', 2);
  });
});
