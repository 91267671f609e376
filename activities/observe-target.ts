import { ApplicationFailure, Context, heartbeat } from '@temporalio/activity';

import type { ComponentResource } from '../adapters/hub/components.ts';
import type { ObserveInput, ObserveResult } from '../domain/lifecycle/observation.ts';
import type { RepairRecord } from '../domain/lifecycle/repair-backoff.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { failureView } from './failure.ts';
import { observeComponents, triesBeforeAway } from './observe/observe-components.ts';
import { createRepairBook } from './observe/repair-book.ts';
import type { RepairBook } from './observe/repair-book.ts';
import { tellAway } from './observe/tell-health.ts';

const heartbeatMs = 5_000;
const maxHeartbeatRecords = 30;
/** Fits a result and an argument in history. */
const maxRecords = 4;

/**
 * Observes all components on one target for hours: what was changed there is reported to the workflow concerned. Returns
 * when its time is over or no component names the target any more. Writes nothing to the target; safe to repeat and to
 * run twice at once.
 */
export function observeTarget(deps: ActivityDependencies) {
  return async (input: ObserveInput): Promise<ObserveResult> => {
    const context = Context.current();
    const over = AbortSignal.timeout(input.minutes * 60_000);
    const signal = AbortSignal.any([context.cancellationSignal, over]);
    const book = createRepairBook([...input.disputed, ...recordsOf(context.info.heartbeatDetails)]);
    const beat = setInterval(() => heartbeat(book.records(maxHeartbeatRecords)), heartbeatMs);
    let resources: readonly ComponentResource[] = [];
    const onChange = (found: readonly ComponentResource[]): void => void (resources = found);
    try {
      const used = await observeComponents({ deps, target: input.target, book, onChange }, signal);
      context.cancellationSignal.throwIfAborted();
      return { used, disputed: disputed(book) };
    } catch (error) {
      if (context.cancellationSignal.aborted) throw ended(context.cancellationSignal.reason);
      if (context.info.attempt >= triesBeforeAway) await tellAway(deps, resources, error);
      throw again(error);
    } finally {
      clearInterval(beat);
    }
  };
}

function recordsOf(details: unknown): readonly RepairRecord[] {
  return Array.isArray(details) ? (details as RepairRecord[]) : [];
}

function disputed(book: RepairBook): readonly RepairRecord[] {
  return book.records(maxRecords).filter(({ key }) => book.isFight(key));
}

/** A worker that stops hands over to another one; anything else is a real cancellation. */
function ended(reason: unknown): Error {
  const worker = reason instanceof Error && reason.message === 'WORKER_SHUTDOWN';
  if (!worker) return reason instanceof Error ? reason : new Error('cancelled');
  return ApplicationFailure.create({
    message: 'the worker stops; another one goes on',
    type: 'WorkerShutdown',
  });
}

/** Every failure is tried again, for as long as a component names the target. */
function again(error: unknown): ApplicationFailure {
  const { kind, message } = failureView(error);
  const failure = ApplicationFailure.create({ message, type: kind, nonRetryable: false });
  failure.stack = `${kind}: ${message}`;
  return failure;
}
