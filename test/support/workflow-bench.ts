import { setTimeout as sleep } from 'node:timers/promises';

import { Context, heartbeat } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

import type { Activities } from '../../activities/registry.ts';
import { until } from '../../dev/processes/until.ts';
import type { ErrorKind } from '../../domain/errors.ts';
import type { ComponentState, Phase } from '../../domain/lifecycle/component-state.ts';
import { failureReasons } from '../../domain/status/reasons.ts';
import { taskQueues } from '../../workflows/activity-options.ts';
import type { ComponentInput } from '../../workflows/messages.ts';
import * as messages from '../../workflows/messages.ts';
import { plan, target } from './lifecycle-states.ts';

// Scripted failures are logged as warnings; what matters here is asserted on.
Runtime.install({ logger: new DefaultLogger('ERROR') });

/** What the activities of one component do; those that are not named succeed at once. */
export type Script = Partial<Activities>;

export interface Component {
  readonly handle: WorkflowHandle;
  readonly input: ComponentInput;
  /** Names of the activities that began, in order; tries count. */
  readonly calls: string[];
  /** Arguments of every try of one activity. */
  argumentsOf<K extends keyof Activities>(name: K): readonly Parameters<Activities[K]>[0][];
  /** Waits until as many tries of the activity began. */
  began(name: keyof Activities, times?: number): Promise<void>;
  reaches(phase: Phase): Promise<ComponentState>;
  /** Waits until no command is queued. */
  servedCommands(): Promise<void>;
}

/** A namespace of its own on a real server, with workers whose activities are scripted for each component. */
export interface WorkflowBench {
  readonly client: Client;
  startWorkers(): Promise<void>;
  start(script?: Script, input?: Partial<ComponentInput>): Promise<Component>;
  /** A deferred removal, whose only activity is `cleanUpTarget`. */
  startCleanup(script?: Script): Promise<Component>;
  stop(): Promise<void>;
}

export interface BenchOptions {
  readonly address: string;
  readonly namespace: string;
  readonly workflowBundle: string;
}

interface Scripted {
  readonly script: Script;
  readonly calls: string[];
  readonly inputs: Map<string, unknown[]>;
}

export async function openWorkflowBench(options: BenchOptions): Promise<WorkflowBench> {
  const { address, namespace, workflowBundle } = options;
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace });
  const scripts = new Map<string, Scripted>();
  const stops: (() => Promise<void>)[] = [() => connection.close()];
  let count = 0;
  return {
    client,
    async startWorkers() {
      stops.push(await runWorkers({ address, namespace, workflowBundle }, scripts));
    },
    async start(script = {}, more = {}) {
      const ref = { kind: 'KnativeServing', namespace: 'team', name: `serving-${String(++count)}` } as const;
      const input: ComponentInput = { ref, uid: 'uid-1', generation: 1, ...more };
      const scripted: Scripted = { script, calls: [], inputs: new Map() };
      scripts.set(ref.name, scripted);
      const handle = await client.workflow.start(ref.kind, {
        workflowId: `${ref.kind}/${ref.namespace}/${ref.name}`,
        taskQueue: taskQueues.workflows,
        args: [input],
      });
      return componentOf(client.workflow.getHandle(handle.workflowId), input, scripted);
    },
    async startCleanup(script = {}) {
      const ref = { kind: 'KnativeServing', namespace: 'team', name: `serving-${String(++count)}` } as const;
      const input: ComponentInput = { ref, uid: 'uid-1', generation: 1 };
      const scripted: Scripted = { script, calls: [], inputs: new Map() };
      scripts.set(ref.name, scripted);
      const { workflowId } = await client.workflow.start('ComponentCleanup', {
        workflowId: `cleanup/${ref.kind}/${ref.namespace}/${ref.name}/uid-1`,
        taskQueue: taskQueues.workflows,
        args: [{ ref, uid: 'uid-1', profile: 'fleet/spoke-1' }],
      });
      return componentOf(client.workflow.getHandle(workflowId), input, scripted);
    },
    async stop() {
      for (const stop of stops.toReversed()) await stop();
    },
  };
}

function componentOf(handle: WorkflowHandle, input: ComponentInput, scripted: Scripted): Component {
  const { calls, inputs } = scripted;
  return {
    handle,
    input,
    calls,
    argumentsOf: (name) => (inputs.get(name) ?? []) as never,
    async began(name, times = 1) {
      const enough = () => calls.filter((call) => call === name).length >= times;
      await until(`${name} of ${input.ref.name} begins`, 30_000, async () => enough() || undefined);
    },
    async servedCommands() {
      await until(`the commands of ${input.ref.name} are served`, 120_000, async () => {
        const { state } = await handle.query(messages.describe);
        return state.commands.length === 0 || undefined;
      });
    },
    reaches: (phase) =>
      until(`${input.ref.name} is ${phase}`, 30_000, async () => {
        const description = await handle.query(messages.describe);
        return description.phase === phase ? description.state : undefined;
      }),
  };
}

const successes: Activities = {
  resolveTarget: async () => target,
  planRelease: async () => plan,
  claimTarget: async () => ({ anchorUID: 'anchor-1' }),
  applyStages: async () => ({ created: 3, changed: 0, unchanged: 0, names: [], more: {}, obsolete: 1 }),
  awaitReady: async () => ({ ready: true, waitingFor: [] }),
  pruneObsolete: async () => ({ removed: 0, pending: 0 }),
  reportReady: async () => undefined,
  probeTarget: async () => ({ drifted: false }),
  finalizeTarget: async () => ({ outcome: 'clean', removed: 3, pending: 0, blockers: [] }),
  cleanUpTarget: async () => ({ outcome: 'clean', removed: 3, pending: 0 }),
  recordAbandonment: async () => undefined,
  releaseFinalizer: async () => undefined,
  recordCommand: async () => undefined,
};

function scriptedActivities(scripts: ReadonlyMap<string, Scripted>): Activities {
  const scripted = <K extends keyof Activities>(name: K) => {
    const run = async (input: Parameters<Activities[K]>[0]): Promise<unknown> => {
      const found = scripts.get(input.ref.name);
      found?.calls.push(name);
      const inputs = found?.inputs.get(name);
      if (inputs === undefined) found?.inputs.set(name, [input]);
      else inputs.push(input);
      const activity = (found?.script[name] ?? successes[name]) as (input: unknown) => Promise<unknown>;
      return activity(input);
    };
    return [name, run] as const;
  };
  const names = Object.keys(successes) as (keyof Activities)[];
  return Object.fromEntries(names.map((name) => scripted(name))) as unknown as Activities;
}

async function runWorkers(
  options: BenchOptions,
  scripts: ReadonlyMap<string, Scripted>,
): Promise<() => Promise<void>> {
  const connection = await NativeConnection.connect({ address: options.address });
  const common = {
    connection,
    namespace: options.namespace,
    shutdownGraceTime: 500,
    shutdownForceTime: 5_000,
  };
  const activities = scriptedActivities(scripts);
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: taskQueues.workflows,
      workflowBundle: { codePath: options.workflowBundle },
    }),
    Worker.create({ ...common, activities, taskQueue: taskQueues.hub, maxHeartbeatThrottleInterval: 100 }),
    Worker.create({ ...common, activities, taskQueue: taskQueues.spokes, maxHeartbeatThrottleInterval: 100 }),
  ]);
  const runs = workers.map((worker) => worker.run());
  return async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.allSettled(runs);
    await connection.close();
  };
}

/** Runs until Temporal cancels the activity; then fails as cancelled, as a real one does. */
export async function untilCancelled(): Promise<never> {
  const { cancellationSignal } = Context.current();
  for (;;) {
    cancellationSignal.throwIfAborted();
    heartbeat();
    await sleep(100, undefined, { signal: cancellationSignal });
  }
}

/** Fails as the real activities do. */
export function failWith(kind: ErrorKind, details?: { dueAt: number }): never {
  const { retry } = failureReasons[kind];
  const failure = ApplicationFailure.create({
    message: `${kind} by script`,
    type: kind,
    nonRetryable: retry === 'wait' || retry === 'restart',
    ...(details === undefined ? {} : { details: [details] }),
  });
  failure.stack = `${kind}: ${failure.message}`;
  throw failure;
}
