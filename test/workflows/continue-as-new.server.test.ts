import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { until } from '../../dev/processes/until.ts';
import type { TemporalServer } from '../../dev/temporal/start-temporal.ts';
import { startTemporal } from '../../dev/temporal/start-temporal.ts';
import * as messages from '../../workflows/messages.ts';
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

describe('a long life', () => {
  test('goes through many runs, keeps its state and loses no message', async () => {
    const component = await bench.start();
    const { handle } = component;
    const rounds = Array.from({ length: 40 }, (_, round) => round);
    for (const round of rounds) {
      await Promise.all([
        handle.signal(messages.suspend, { requestedBy: 'ann', reason: `round ${String(round)}` }),
        handle.signal(messages.resourceChanged, { uid: 'uid-1', generation: round + 2 }),
        handle.signal(messages.nudge),
      ]);
    }
    const state = await until('the last generation is ready', 60_000, async () => {
      const { state: seen } = await handle.query(messages.describe);
      return seen.readyGeneration === 41 && seen.commands.length === 0 ? seen : undefined;
    });
    expect(state).toMatchObject({ uid: 'uid-1', generation: 41, plan: { version: '1.23.0' }, gone: false });
    expect(state.failure).toBeUndefined();
    const recorded = new Set(component.argumentsOf('recordCommand').map(({ command }) => command.reason));
    expect(recorded).toEqual(new Set(rounds.map((round) => `round ${String(round)}`)));

    const runs: string[] = [];
    for await (const { workflowId, runId } of bench.client.workflow.list()) {
      if (workflowId === handle.workflowId) runs.push(runId);
    }
    expect(runs.length).toBeGreaterThan(3);
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
