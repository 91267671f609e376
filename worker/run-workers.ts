import { GracefulShutdownPeriodExpiredError } from '@temporalio/worker';
import type { Worker } from '@temporalio/worker';

import type { Logger } from '../adapters/telemetry/logger.ts';
import { messageOf } from '../domain/errors.ts';

/**
 * Runs all workers until the signal aborts and they have drained, or given up on activities that do not end. One that ends
 * by itself takes the others with it; then, or when one failed, this rejects.
 */
export async function runWorkers(
  workers: readonly Worker[],
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const shutDown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  signal.addEventListener('abort', shutDown, { once: true });
  const runs = workers.map((worker) => worker.run().finally(shutDown));
  // Aborted before they ran: nobody was told.
  if (signal.aborted) shutDown();
  for (const outcome of await Promise.allSettled(runs)) {
    if (outcome.status === 'fulfilled') continue;
    const { reason } = outcome;
    if (!signal.aborted || !(reason instanceof GracefulShutdownPeriodExpiredError)) throw reason;
    log.warn({}, `activities did not end in time and are run again by another worker: ${messageOf(reason)}`);
  }
  if (!signal.aborted) throw new Error('a worker ended by itself');
}

/** Why the workers do not do their work, or undefined. */
export function workersProblem(workers: readonly Worker[]): string | undefined {
  const states = workers.map((worker) => worker.getState());
  if (states.length > 0 && states.every((state) => state === 'RUNNING')) return undefined;
  return states.length === 0 ? 'not started yet' : `their states are ${states.join(', ')}`;
}

/** What only a restart can cure. */
export function workersFailure(workers: readonly Worker[]): string | undefined {
  return workers.some((worker) => worker.getState() === 'FAILED') ? 'one of them failed' : undefined;
}
