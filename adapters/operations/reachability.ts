import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf } from '../../domain/errors.ts';
import { untilAborted } from '../kubernetes/until-aborted.ts';

/** Whether something that this process depends on answers, found out by asking it again and again. */
export interface Reachability {
  /** Asks until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** The outcome of the last time it was asked; false before the first. */
  readonly reachable: boolean;
  /** Why it does not count as usable now, or undefined: it answered within the last minute. */
  problem(): string | undefined;
}

export interface ReachabilityOptions {
  /** In messages: `the hub`. */
  readonly name: string;
  readonly check: (signal: AbortSignal) => Promise<unknown>;
  /** Between questions while it answers. */
  readonly intervalMs?: number;
}

const defaultIntervalMs = 10_000;
/** Between questions while it does not: who waits for a process to become ready waits for this. */
const retryMs = 1_000;
const checkTimeoutMs = 10_000;
const recentMs = 60_000;

export function createReachability(options: ReachabilityOptions): Reachability {
  const { name, check, intervalMs = defaultIntervalMs } = options;
  let answeredAt = -Infinity;
  let reachable = false;
  let why = 'it was not asked yet';

  const ask = async (signal: AbortSignal): Promise<void> => {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]);
      await untilAborted(check(limit), limit);
      answeredAt = performance.now();
      reachable = true;
    } catch (error) {
      reachable = false;
      why = messageOf(error);
    }
  };

  return {
    get reachable() {
      return reachable;
    },
    problem: () =>
      performance.now() - answeredAt < recentMs ? undefined : `${name} does not answer: ${why}`,
    async run(signal) {
      while (!signal.aborted) {
        await ask(signal);
        await sleep(reachable ? intervalMs : Math.min(retryMs, intervalMs), undefined, { signal }).catch(
          () => undefined,
        );
      }
    },
  };
}
