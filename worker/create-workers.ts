import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';

import type { ActivityDependencies } from '../activities/dependencies.ts';
import type { ActivityObserver } from '../adapters/telemetry/metrics/activity-metrics.ts';
import { createActivities, createObserverActivities } from '../activities/registry.ts';
import { taskQueues } from '../workflows/activity-options.ts';
import { observedActivity } from './observed-activity.ts';
import { workflowSource } from './workflow-source.ts';

export interface WorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly dependencies: ActivityDependencies;
  /** Path of a bundle made ahead of time; without one that of the build, or the sources. */
  readonly workflowBundle?: string | undefined;
  readonly maxCachedWorkflows: number;
  /** How long activities may go on once the workers are shut down, milliseconds; then they are cancelled. */
  readonly shutdownGraceMs: number;
  readonly observe: ActivityObserver;
}

/** From the cancellation of activities to giving them up, milliseconds. */
const cancellationMs = 20_000;

/** Cancellation and pause reach a running activity with its next heartbeat, so those must not be held back long. */
const maxHeartbeatThrottleInterval = '2s';

/** One worker for each queue. The caller runs them and shuts them down. */
export async function createWorkers(options: WorkersOptions): Promise<readonly Worker[]> {
  const activities = createActivities(options.dependencies);
  const common = {
    connection: options.connection,
    namespace: options.namespace,
    maxHeartbeatThrottleInterval,
    shutdownGraceTime: options.shutdownGraceMs,
    shutdownForceTime: options.shutdownGraceMs + cancellationMs,
    interceptors: { activity: [() => ({ inbound: observedActivity(options.observe) })] },
  };
  const workflows: WorkerOptions = {
    ...common,
    taskQueue: taskQueues.workflows,
    maxCachedWorkflows: options.maxCachedWorkflows,
    stickyQueueScheduleToStartTimeout: '5s',
    ...workflowSource(options.workflowBundle),
  };
  return Promise.all([
    Worker.create(workflows),
    Worker.create({
      ...common,
      activities,
      taskQueue: taskQueues.hub,
      maxConcurrentActivityTaskExecutions: 100,
    }),
    Worker.create({
      ...common,
      activities,
      taskQueue: taskQueues.spokes,
      maxConcurrentActivityTaskExecutions: 500,
    }),
    Worker.create({
      ...common,
      // Observing is handed over to another worker at once.
      shutdownGraceTime: '100ms',
      activities: createObserverActivities(options.dependencies),
      taskQueue: taskQueues.observers,
      maxConcurrentActivityTaskExecutions: 2_000,
    }),
  ]);
}
