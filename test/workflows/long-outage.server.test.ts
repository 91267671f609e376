import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import * as messages from '../../workflows/messages.ts';
import { runsFrom } from '../support/run-chain.ts';
import type { TimeSkippingBench } from '../support/time-skipping-bench.ts';
import { openTimeSkippingBench } from '../support/time-skipping-bench.ts';
import { failWith } from '../support/workflow-bench.ts';

/** The server suggests to continue as new after 4,096; one step more may be under way. */
const maxEvents = 4_200;

let bench: TimeSkippingBench;

beforeAll(async () => {
  bench = await openTimeSkippingBench();
});

afterAll(async () => {
  await bench?.stop();
});

describe('a spoke that is unreachable during a deletion', () => {
  test('for 30 days is waited for with little history, says so all the time, and is cleaned when it is back', async () => {
    let back = false;
    const component = await bench.start({
      finalizeTarget: async () =>
        back ? { outcome: 'clean', removed: 3, pending: 0, blockers: [] } : failWith('SpokeUnreachable'),
    });
    const { handle, calls } = component;
    await component.reaches('Ready');
    const { runId } = await handle.describe();
    const deletedAt = await bench.now();
    await handle.signal(messages.resourceDeleted, { uid: 'uid-1' });
    await component.began('finalizeTarget');
    await bench.skip(30);

    expect(calls).not.toContain('releaseFinalizer');
    const { phase, state } = await handle.query(messages.describe);
    expect(phase).toBe('Finalizing');
    expect(state.failure).toMatchObject({ kind: 'SpokeUnreachable', message: 'SpokeUnreachable by script' });
    expect((state.failure?.since ?? 0) - deletedAt).toBeLessThan(3_600_000);
    expect((await handle.describe()).searchAttributes).toMatchObject({ KnReason: ['SpokeUnreachable'] });
    // Tried at least every five minutes, all the time.
    expect(calls.filter((call) => call === 'finalizeTarget').length).toBeGreaterThan(30 * 24 * 12);

    const runs = await runsFrom(bench.client, handle.workflowId, runId);
    expect(Math.max(...runs.map(({ events }) => events))).toBeLessThan(maxEvents);
    expect(runs.reduce((sum, { events }) => sum + events, 0)).toBeLessThan(30 * 200);

    back = true;
    await handle.signal(messages.targetChanged, { hash: 'back' });
    expect(await handle.result()).toBe('Finalized');
    expect(calls.slice(-2)).toEqual(['finalizeTarget', 'releaseFinalizer']);
  });

  test('and comes back without a word is cleaned by the next try of a deferred removal', async () => {
    let back = false;
    const component = await bench.startCleanup({
      cleanUpTarget: async () =>
        back ? { outcome: 'clean', removed: 3, pending: 0 } : failWith('SpokeUnreachable'),
    });
    await component.began('cleanUpTarget');
    await bench.skip(2);
    back = true;
    await bench.skip(10 / (24 * 60));
    expect(await component.handle.result()).toBe('clean');
  });
});
