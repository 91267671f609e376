import { randomUUID } from 'node:crypto';

import type { WorkflowHandle } from '@temporalio/client';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { ObserverActivities } from '../../activities/registry.ts';
import { createNamespace } from '../../dev/temporal/create-namespace.ts';
import { settledLength } from '../../dev/temporal/settled-length.ts';
import { mostEventsADay } from '../../domain/lifecycle/idle-intervals.ts';
import type { ObserveInput } from '../../domain/lifecycle/observation.ts';
import { taskQueues } from '../../workflows/activity-options.ts';
import * as messages from '../../workflows/messages.ts';
import { recordHistory } from '../support/record-history.ts';
import type { WorkflowBench } from '../support/workflow-bench.ts';
import { openWorkflowBench } from '../support/workflow-bench.ts';

/** Events of one observation, and of one comparison that a timer asks for; what `docs/limits.md` reckons with. */
const eventsOfObservation = 6;
const eventsOfComparison = 11;
const rest = { restMs: 300, withinMs: 30_000 };

let bench: WorkflowBench;
let client: Client;
let stop: () => Promise<void>;
let observe: ObserverActivities['observeTarget'];

beforeAll(async () => {
  const { address } = inject('temporal');
  const namespace = `observer-${randomUUID().slice(0, 8)}`;
  const workflowBundle = inject('workflowBundle');
  await createNamespace(address, namespace);
  bench = await openWorkflowBench({ address, namespace, workflowBundle });
  await bench.startWorkers();
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  client = new Client({ connection, namespace });
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue: taskQueues.observers,
    activities: { observeTarget: (input: ObserveInput) => observe(input) },
  });
  const running = worker.run();
  stop = async () => {
    worker.shutdown();
    await running;
    await native.close();
    await connection.close();
  };
});

afterAll(async () => {
  await bench.stop();
  await stop();
});

async function start(): Promise<WorkflowHandle> {
  const workflowId = `observer/fleet/${randomUUID()}`;
  const args = [{ target: 'fleet/spoke-1' }];
  return client.workflow.start('SpokeObserver', { workflowId, taskQueue: taskQueues.workflows, args });
}

describe('an observer', () => {
  test('observes again and again until nothing is left to observe, for six events each time', async () => {
    const inputs: ObserveInput[] = [];
    observe = async (input) => {
      inputs.push(input);
      return { used: inputs.length < 5, disputed: [] };
    };
    const handle = await start();
    expect(await handle.result()).toBe('Unused');
    expect(inputs).toHaveLength(5);
    for (const { target, minutes } of inputs) {
      expect(target).toBe('fleet/spoke-1');
      expect(minutes / 60).toBeGreaterThanOrEqual(4.8);
      expect(minutes / 60).toBeLessThanOrEqual(7.2);
    }
    // Started, the first task of three, and the end.
    const { historyLength } = await handle.describe();
    expect(historyLength).toBeLessThanOrEqual(5 * eventsOfObservation + 5);
    await recordHistory('observer-until-unused', handle);
  });

  test('tries again when an observation fails, and hands on which repairs do not hold', async () => {
    const disputed = [{ key: 'KnativeServing/team/serving a', repairs: 5, last: 1 }];
    let tries = 0;
    let handed: ObserveInput['disputed'] = [];
    observe = async (input) => {
      tries += 1;
      if (tries === 1) throw new Error('the spoke does not answer');
      handed = input.disputed;
      return { used: tries < 3, disputed };
    };
    const handle = await start();
    expect(await handle.result()).toBe('Unused');
    expect(handed).toEqual(disputed);
  });
});

describe('an idle component and its observer', () => {
  test('add at most 60 events a day, however early their times fall', async () => {
    const component = await bench.start();
    await component.reaches('Ready');
    const begin = await settledLength(component.handle, rest);
    const looks = 5;
    for (let look = 1; look <= looks; look++) {
      await component.handle.signal(messages.healthChanged);
      await component.began('probeTarget', look);
      await component.reaches('Ready');
      await settledLength(component.handle, rest);
    }
    const events = ((await settledLength(component.handle, rest)) - begin) / looks;
    // A signal costs one event more than a timer that fires.
    expect(events - 1).toBe(eventsOfComparison);
    const perDay = mostEventsADay({ observation: eventsOfObservation, comparison: eventsOfComparison });
    expect(perDay).toBeLessThanOrEqual(60);
  });
});
