import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { until } from '../../dev/processes/until.ts';
import { createNamespace } from '../../dev/temporal/create-namespace.ts';
import * as messages from '../../workflows/messages.ts';
import { target } from '../support/lifecycle-states.ts';
import { scanHistory } from '../support/history-scan.ts';
import { recordHistory } from '../support/record-history.ts';
import type { Component, WorkflowBench } from '../support/workflow-bench.ts';
import { failWith, openWorkflowBench, untilCancelled } from '../support/workflow-bench.ts';

const pass = [
  'resolveTarget',
  'planRelease',
  'claimTarget',
  'applyStages',
  'awaitReady',
  'pruneObsolete',
  'reportReady',
] as const;
const byPerson = { requestedBy: 'ann', reason: 'spoke is lost' } as const;
const deleted = { uid: 'uid-1' };

let bench: WorkflowBench;

async function openBench(): Promise<WorkflowBench> {
  const { address } = inject('temporal');
  const namespace = `lifecycle-${randomUUID().slice(0, 8)}`;
  await createNamespace(address, namespace);
  return openWorkflowBench({ address, namespace, workflowBundle: inject('workflowBundle') });
}

beforeAll(async () => {
  bench = await openBench();
  await bench.startWorkers();
});

afterAll(async () => {
  await bench.stop();
});

async function historyLength({ handle }: Component): Promise<number> {
  return (await handle.describe()).historyLength;
}

async function currentDetails({ handle }: Component): Promise<string> {
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

describe('a pass', () => {
  test('runs its steps in order and ends Ready', async () => {
    const component = await bench.start();
    const state = await component.reaches('Ready');
    expect(component.calls).toEqual(pass);
    expect(state.readyGeneration).toBe(1);
    expect(component.argumentsOf('applyStages')[0]).toMatchObject({
      uid: 'uid-1',
      generation: 1,
      plan: { digest: 'sha256:1' },
      claim: { anchorUID: 'anchor-1' },
    });
    await recordHistory('install-to-ready', component.handle);
  });

  test('fills search attributes and current details', async () => {
    const component = await bench.start();
    await component.reaches('Ready');
    const { searchAttributes } = await component.handle.describe();
    expect(searchAttributes).toMatchObject({
      KnSpoke: ['fleet/spoke-1'],
      KnPhase: ['Ready'],
      KnVersion: ['1.23.0'],
      KnReady: [true],
      KnAbandoned: [false],
      KnGeneration: [1],
    });
    const details = await currentDetails(component);
    expect(details).toContain('**Ready**');
    expect(details).toContain('fleet/spoke-1');
    expect(details).toContain('1.23.0');
  });

  test('waits again and again until workloads are ready', async () => {
    let looks = 0;
    const component = await bench.start({
      awaitReady: async () => ({ ready: ++looks === 3, waitingFor: looks === 3 ? [] : ['activator'] }),
    });
    const state = await component.reaches('Ready');
    expect(looks).toBe(3);
    expect(state.waitingFor).toEqual([]);
  });

  test('is superseded by a newer generation while it applies, and is never ready at the older one', async () => {
    const component = await bench.start({
      applyStages: async ({ generation }) => {
        if (generation === 1) await untilCancelled();
        return { created: 1, changed: 0, unchanged: 0, names: [], more: {}, obsolete: 0 };
      },
    });
    await component.began('applyStages');
    await component.handle.signal(messages.resourceChanged, { uid: 'uid-1', generation: 2 });
    const state = await component.reaches('Ready');
    expect(state.readyGeneration).toBe(2);
    expect(component.argumentsOf('reportReady').map(({ generation }) => generation)).toEqual([2]);
  });

  test('waits for a correction and takes it up', async () => {
    const component = await bench.start({
      planRelease: async ({ generation }) =>
        generation === 1
          ? failWith('SpecInvalid')
          : { version: '1.23.0', digest: 'd', objects: 1, warnings: [] },
    });
    const blocked = await component.reaches('Blocked');
    expect(blocked.failure).toMatchObject({
      kind: 'SpecInvalid',
      message: 'SpecInvalid by script',
      step: 'plan',
    });
    expect(await currentDetails(component)).toContain('Correct the field that the message names.');
    expect((await component.handle.describe()).searchAttributes).toMatchObject({ KnReason: ['SpecInvalid'] });
    await component.handle.signal(messages.resourceChanged, { uid: 'uid-1', generation: 2 });
    await component.reaches('Ready');
    expect(component.calls.filter((call) => call === 'planRelease')).toHaveLength(2);
    await recordHistory('blocked-then-ready', component.handle);
  });

  test('does not begin again for ever when the resource has moved on and nobody says so', async () => {
    const component = await bench.start({ resolveTarget: async () => failWith('Superseded') });
    await component.reaches('Blocked');
    await sleep(1_000);
    expect(component.calls).toEqual(['resolveTarget', 'resolveTarget', 'resolveTarget']);
  });

  test('is tried again at once by a nudge while a patient try is pending', async () => {
    let reachable = false;
    const component = await bench.start({
      resolveTarget: async () => (reachable ? target : failWith('SpokeUnreachable')),
    });
    await component.began('resolveTarget', 4);
    await component.reaches('Blocked');
    reachable = true;
    const tries = component.calls.length;
    const nudged = performance.now();
    await component.handle.signal(messages.nudge);
    await component.reaches('Ready');
    expect(component.calls.length).toBe(tries + pass.length);
    // The pending try would have come five seconds after the last one.
    expect(performance.now() - nudged).toBeLessThan(4_500);
  });
});

describe('messages', () => {
  test('a signal that nobody knows is ignored', async () => {
    const component = await bench.start();
    await component.reaches('Ready');
    await component.handle.signal('fromTheFuture', { x: 1 });
    await component.handle.signal(messages.resourceChanged, { uid: 'uid-1', generation: 2 });
    await component.began('reportReady', 2);
    expect((await component.reaches('Ready')).readyGeneration).toBe(2);
  });

  test('a component that nobody talks about adds nothing to its history', async () => {
    const component = await bench.start();
    await component.reaches('Ready');
    await sleep(500);
    const length = await historyLength(component);
    await sleep(3_000);
    expect(await historyLength(component)).toBe(length);
  });

  test('a resource of the same name with another UID begins when the earlier one has ended', async () => {
    const component = await bench.start();
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceChanged, { uid: 'uid-2', generation: 1 });
    await component.began('reportReady', 2);
    const state = await component.reaches('Ready');
    expect(state.uid).toBe('uid-2');
    expect(state.finalization).toBeUndefined();
    expect(component.calls).toEqual([...pass, 'recordAbandonment', ...pass]);
  });

  test('a late message about an earlier resource changes nothing for the present one', async () => {
    const component = await bench.start({ recordAbandonment: async () => failWith('Superseded') });
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceChanged, { uid: 'uid-0', generation: 7 });
    await component.began('reportReady', 2);
    const state = await component.reaches('Ready');
    expect(state).toMatchObject({ uid: 'uid-1', generation: 1, gone: false });
    expect(state.successor).toBeUndefined();
  });

  test('cancelling the workflow suspends the component', async () => {
    let held = false;
    const component = await bench.start({
      recordCommand: async () => {
        held = true;
      },
      resolveTarget: async () => (held ? failWith('Paused') : target),
    });
    await component.reaches('Ready');
    await component.handle.cancel();
    await component.reaches('Suspended');
    expect(component.argumentsOf('recordCommand')[0]?.command.name).toBe('suspend');
    expect((await component.handle.describe()).status.name).toBe('RUNNING');
  });

  test('a suspension stops the apply that runs', async () => {
    let held = false;
    const component = await bench.start({
      applyStages: untilCancelled,
      recordCommand: async () => {
        held = true;
      },
      resolveTarget: async () => (held ? failWith('Paused') : target),
    });
    await component.began('applyStages');
    const answer = await component.handle.executeUpdate(messages.suspendUpdate, {
      args: [{ requestedBy: 'ann' }],
    });
    expect(answer).toMatch(/^suspended/);
    await component.reaches('Suspended');
  });
});

describe('a deletion', () => {
  test('finalizes, then releases the finalizer, and ends', async () => {
    const component = await bench.start();
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceDeleted, deleted);
    expect(await component.handle.result()).toBe('Finalized');
    expect(component.calls.slice(pass.length)).toEqual(['finalizeTarget', 'releaseFinalizer']);
    expect((await component.handle.describe()).searchAttributes).toMatchObject({ KnPhase: ['Finalized'] });
    await recordHistory('finalized-clean', component.handle);
  });

  test('interrupts an apply', async () => {
    const component = await bench.start({ applyStages: untilCancelled });
    await component.began('applyStages');
    await component.handle.signal(messages.resourceDeleted, deleted);
    expect(await component.handle.result()).toBe('Finalized');
    expect(component.calls.slice(4)).toEqual(['finalizeTarget', 'releaseFinalizer']);
  });

  test('begins at once in a workflow that was lost and is started again', async () => {
    const component = await bench.start({}, { deleting: true });
    expect(await component.handle.result()).toBe('Finalized');
    expect(component.calls).toEqual(['finalizeTarget', 'releaseFinalizer']);
  });

  test('is taken back when the hub knows nothing of it', async () => {
    const component = await bench.start({ finalizeTarget: async () => failWith('Superseded') });
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceDeleted, deleted);
    await component.began('reportReady', 2);
    expect((await component.reaches('Ready')).deleting).toBe(false);
  });

  test('leaves everything of a resource that retains it', async () => {
    const component = await bench.start({
      finalizeTarget: async () => ({ outcome: 'retained', removed: 0, pending: 0, blockers: [] }),
    });
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceDeleted, deleted);
    expect(await component.handle.result()).toBe('Finalized');
    await recordHistory('finalized-retained', component.handle);
  });

  test('that is repeated does not interrupt a patient removal, and a nudge does', async () => {
    let answers = false;
    const component = await bench.start({
      finalizeTarget: async () =>
        answers
          ? { outcome: 'clean', removed: 1, pending: 0, blockers: [] }
          : failWith('FinalizationBlocked'),
    });
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceDeleted, deleted);
    await component.began('finalizeTarget', 4);
    const tries = component.calls.length;
    for (let time = 0; time < 3; time++) await component.handle.signal(messages.resourceDeleted, deleted);
    await sleep(1_500);
    expect(component.calls.length).toBe(tries);
    answers = true;
    await component.handle.signal(messages.nudge);
    expect(await component.handle.result()).toBe('Finalized');
  });

  test('that is held by a person goes on when its deadline passes, although nobody says so', async () => {
    const dueAt = Date.now() + 3_000;
    const component = await bench.start({
      finalizeTarget: async () =>
        Date.now() < dueAt
          ? failWith('Paused', { dueAt })
          : { outcome: 'abandoned', removed: 0, pending: 3, blockers: [] },
    });
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceDeleted, deleted);
    expect(await component.handle.result()).toBe('Abandoned');
    expect(Date.now()).toBeGreaterThanOrEqual(dueAt);
  });

  test('that is deferred lets the resource go and ends as such', async () => {
    const component = await bench.start({
      finalizeTarget: async () => ({ outcome: 'deferred', removed: 0, pending: 3, blockers: [] }),
    });
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceDeleted, deleted);
    expect(await component.handle.result()).toBe('Deferred');
    expect(component.calls.slice(pass.length)).toEqual(['finalizeTarget', 'releaseFinalizer']);
    await recordHistory('finalized-deferred', component.handle);
  });

  test('of a resource whose finalizer was removed by hand is recorded as abandoned', async () => {
    const component = await bench.start();
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceGone, { uid: '' });
    expect(await component.handle.result()).toBe('Abandoned');
    expect(component.calls.slice(pass.length)).toEqual(['recordAbandonment']);
    expect((await component.handle.describe()).searchAttributes).toMatchObject({ KnAbandoned: [true] });
  });
});

describe('forceCleanup', () => {
  const blockedUnlessForced = {
    finalizeTarget: async ({ force }: { force?: unknown }) =>
      force === undefined
        ? failWith('SpokeUnreachable')
        : ({ outcome: 'abandoned', removed: 0, pending: 3, blockers: ['spoke is lost'] } as const),
  };
  const force = (component: Component, request: { requestedBy: string; reason: string }) =>
    component.handle.executeUpdate(messages.forceCleanupUpdate, { args: [request] });

  test('is refused for a resource that nobody deleted, and without a reason', async () => {
    const component = await bench.start();
    await component.reaches('Ready');
    const refusal = await force(component, byPerson).catch((error: Error) => error.cause);
    expect(String(refusal)).toMatch(/delete it first/);
    await component.handle.signal(messages.forceCleanup, byPerson);
    await until(
      'the details say why',
      20_000,
      async () => (await currentDetails(component)).includes('delete it first') || undefined,
    );
    expect(component.calls).toEqual(pass);
  });

  test('ends a blocked finalization once it has a reason, and is recorded on the resource first', async () => {
    const component = await bench.start(blockedUnlessForced);
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceDeleted, deleted);
    await component.began('finalizeTarget', 3);
    const refusal = await force(component, { requestedBy: 'ann', reason: ' ' }).catch(
      (error: Error) => error.cause,
    );
    expect(String(refusal)).toMatch(/needs a reason/);
    await until('the first tries are over', 20_000, async () => {
      const { state } = await component.handle.query(messages.describe);
      return state.failure === undefined ? undefined : true;
    });
    expect(await force(component, byPerson)).toBe('forced cleanup begins');
    expect(await component.handle.result()).toBe('Abandoned');
    expect(component.calls.slice(-3)).toEqual(['recordCommand', 'finalizeTarget', 'releaseFinalizer']);
    expect(component.argumentsOf('recordCommand')[0]?.command).toEqual({ name: 'forceCleanup', ...byPerson });
    expect(component.argumentsOf('finalizeTarget').at(-1)?.force).toMatchObject(byPerson);
    await recordHistory('finalized-forced', component.handle);
  });

  test('takes effect when it was sent as a signal before any worker ran', async () => {
    const late = await openBench();
    try {
      const component = await late.start(blockedUnlessForced);
      await component.handle.signal(messages.resourceDeleted, deleted);
      await component.handle.signal(messages.forceCleanup, byPerson);
      await late.startWorkers();
      expect(await component.handle.result()).toBe('Abandoned');
      expect(component.calls).toEqual(['recordCommand', 'finalizeTarget', 'releaseFinalizer']);
    } finally {
      await late.stop();
    }
  });
});

test('no history holds what it must not', async () => {
  const violations: string[] = [];
  for await (const { workflowId, runId } of bench.client.workflow.list()) {
    const history = await bench.client.workflow.getHandle(workflowId, runId).fetchHistory();
    violations.push(...scanHistory(history));
  }
  expect(violations).toEqual([]);
});
