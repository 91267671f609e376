import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from '@temporalio/client';

import type { Logger } from '../adapters/telemetry/logger.ts';
import { targetNameOf } from '../domain/api/destination.ts';
import { messageOf } from '../domain/errors.ts';
import { taskQueues } from '../workflows/activity-options.ts';
import { observerWorkflowId } from '../workflows/observer-workflow-id.ts';
import { searchAttributeKeys } from '../workflows/search-attributes.ts';
import type { ObserverInput } from '../workflows/spoke-observer.ts';
import type { ComponentWatch } from './watch-components.ts';

export interface ObserverOptions {
  readonly temporal: Client;
  readonly hubId: string;
  readonly watches: readonly ComponentWatch[];
  readonly log: Logger;
  /** How often lost observers are looked for, milliseconds. */
  readonly intervalMs: number;
}

const tickMs = 1_000;

/**
 * Keeps one observer running for each target that a resource names, until the signal aborts: a new target gets its own
 * within seconds, a lost observer is started again after the interval. Observers end by themselves.
 */
export async function keepObservers(options: ObserverOptions, signal: AbortSignal): Promise<void> {
  let running = new Set<string>();
  let listAt = 0;
  while (!signal.aborted) {
    try {
      if (performance.now() >= listAt) {
        running = await runningObservers(options.temporal);
        listAt = performance.now() + options.intervalMs;
      }
      await startMissing(options, running);
    } catch (error) {
      options.log.warn({}, `observers could not be looked after: ${messageOf(error)}`);
    }
    await sleep(tickMs, undefined, { signal }).catch(() => undefined);
  }
}

async function startMissing(options: ObserverOptions, running: Set<string>): Promise<void> {
  const resources = options.watches.flatMap((watch) => [...watch.known.values()]);
  const targets = new Set(resources.flatMap(({ ref, object }) => targetNameOf(ref.kind, object) ?? []));
  for (const target of targets) {
    const id = observerWorkflowId(target, options.hubId);
    if (running.has(id)) continue;
    await start(options.temporal, id, target);
    running.add(id);
  }
}

async function runningObservers(temporal: Client): Promise<Set<string>> {
  const ids = new Set<string>();
  const query = `WorkflowType = 'SpokeObserver' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of temporal.workflow.list({ query })) ids.add(workflowId);
  return ids;
}

async function start(temporal: Client, workflowId: string, target: string): Promise<void> {
  const input: ObserverInput = { target };
  await temporal.workflow.start('SpokeObserver', {
    workflowId,
    taskQueue: taskQueues.workflows,
    args: [input],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `observes ${target}`,
    typedSearchAttributes: [{ key: searchAttributeKeys.spoke, value: target }],
  });
}
