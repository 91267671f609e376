import { fileURLToPath } from 'node:url';

import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';

import type { ActivityDependencies } from '../activities/dependencies.ts';
import { createActivities } from '../activities/registry.ts';
import { taskQueues } from '../workflows/activity-options.ts';

export interface WorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly dependencies: ActivityDependencies;
  /** A bundle made ahead of time; without one the sources are bundled at start. */
  readonly workflowBundle?: string | undefined;
}

const shutdown = { shutdownGraceTime: '20s', shutdownForceTime: '40s' } as const;

/** Cancellation and pause reach a running activity with its next heartbeat, so those must not be held back long. */
const maxHeartbeatThrottleInterval = '2s';

/** One worker for each queue. The caller runs them and shuts them down. */
export async function createWorkers(options: WorkersOptions): Promise<readonly Worker[]> {
  const activities = createActivities(options.dependencies);
  const common = {
    connection: options.connection,
    namespace: options.namespace,
    maxHeartbeatThrottleInterval,
    ...shutdown,
  };
  const workflows: WorkerOptions = {
    ...common,
    taskQueue: taskQueues.workflows,
    maxCachedWorkflows: 1_500,
    stickyQueueScheduleToStartTimeout: '5s',
    ...(options.workflowBundle === undefined
      ? { workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)) }
      : { workflowBundle: { codePath: options.workflowBundle } }),
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
  ]);
}
