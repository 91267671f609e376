import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { until } from '../../dev/processes/until.ts';
import type { TemporalServer } from '../../dev/temporal/start-temporal.ts';
import { startTemporal } from '../../dev/temporal/start-temporal.ts';
import * as messages from '../../workflows/messages.ts';
import { runsFrom } from '../support/run-chain.ts';
import type { WorkflowBench } from '../support/workflow-bench.ts';
import { openWorkflowBench } from '../support/workflow-bench.ts';

let server: TemporalServer;
let bench: WorkflowBench;

beforeAll(async () => {
  // A server of its own, which suggests to continue as new after 40 events instead of thousands.
  server = await startTemporal({ dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '40' } });
  const { address, namespace } = server;
  bench = await openWorkflowBench({ address, namespace, workflowBundle: inject('workflowBundle') });
  await bench.startWorkers();
});

afterAll(async () => {
  await bench.stop();
  await server.stop();
});

/** A multiple of three; `npm run test:endurance` sends 21,000. */
const messageCount = Number(process.env['KNATIVE_FLEET_MESSAGES'] ?? '120');

describe('a long life', () => {
  test('goes through many runs, keeps its state and loses no message', { timeout: 3_000_000 }, async () => {
    const component = await bench.start();
    const { handle } = component;
    const { runId } = await handle.describe();
    const rounds = Array.from({ length: messageCount / 3 }, (_, round) => round);
    for (const round of rounds) {
      if (round % 100 === 99) await component.servedCommands();
      await Promise.all([
        handle.signal(messages.suspend, { requestedBy: 'ann', reason: `round ${String(round)}` }),
        handle.signal(messages.resourceChanged, { uid: 'uid-1', generation: round + 2 }),
        handle.signal(messages.nudge),
      ]);
    }
    const generation = rounds.length + 1;
    const state = await until('the last generation is ready', 60_000, async () => {
      const { state: seen } = await handle.query(messages.describe);
      return seen.readyGeneration === generation && seen.commands.length === 0 ? seen : undefined;
    });
    expect(state).toMatchObject({ uid: 'uid-1', generation, plan: { version: '1.23.0' }, gone: false });
    expect(state.failure).toBeUndefined();
    const recorded = new Set(component.argumentsOf('recordCommand').map(({ command }) => command.reason));
    expect(recorded).toEqual(new Set(rounds.map((round) => `round ${String(round)}`)));

    const runs = await runsFrom(bench.client, handle.workflowId, runId);
    expect(runs.length).toBeGreaterThan(3);
    expect(Math.max(...runs.map(({ events }) => events))).toBeLessThan(1_000);
  });

  test('does not grow by messages that change nothing, and keeps what they were answered', async () => {
    const component = await bench.start();
    const { handle } = component;
    await component.reaches('Ready');
    const { runId } = await handle.describe();
    const nameless = { requestedBy: 'ann', reason: '' };
    for (let round = 0; round < 40; round++) await handle.signal(messages.forceCleanup, nameless);
    const runs = await until('the last message is served', 60_000, async () => {
      const { state } = await handle.query(messages.describe);
      return state.notice === 'forceCleanup was ignored: it needs a reason'
        ? runsFrom(bench.client, handle.workflowId, runId)
        : undefined;
    });
    expect(runs.length).toBeGreaterThan(1);
    expect(Math.max(...runs.map(({ events }) => events))).toBeLessThan(40 + 100);
    expect(component.calls.filter((call) => call === 'applyStages')).toHaveLength(1);
  });

  test('remembers a deletion across runs', async () => {
    let released = false;
    const component = await bench.start({
      finalizeTarget: async () => ({
        outcome: released ? ('clean' as const) : ('running' as never),
        removed: 1,
        pending: released ? 0 : 2,
        blockers: [],
      }),
    });
    await component.reaches('Ready');
    await component.handle.signal(messages.resourceDeleted, { uid: 'uid-1' });
    await component.began('finalizeTarget', 30);
    released = true;
    expect(await component.handle.result()).toBe('Finalized');
    expect(component.calls.at(-1)).toBe('releaseFinalizer');
    expect(component.calls.filter((call) => call === 'resolveTarget')).toHaveLength(1);
  });
});
