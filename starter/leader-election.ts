import { setTimeout as sleep } from 'node:timers/promises';

import type { ElectionLease, LeaseView } from '../adapters/hub/election-lease.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { isOperatorError, messageOf } from '../domain/errors.ts';

export interface ElectionOptions {
  readonly lease: ElectionLease;
  /** Differs between all processes that ever compete. */
  readonly identity: string;
  /** Silence after which another one takes over, milliseconds. */
  readonly leaseMs: number;
  readonly log: Logger;
  readonly onRole: (role: Role) => void;
}

export type Role = 'leader' | 'standby';

/**
 * Competes for a Lease and runs `work` each time it is won, until `signal` aborts. Work is told to stop when the Lease could
 * not be renewed for two thirds of its duration, so that it has stopped before another one may begin; two that work at
 * once are harmless. A Lease that is still held at the end is given back. Rejects when `work` does.
 */
export async function workAsLeader(
  options: ElectionOptions,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const candidate = createCandidate(options);
  options.onRole('standby');
  while (!signal.aborted) {
    const held = await candidate.tryToTake(signal);
    if (held === undefined) await pause(candidate.retryMs, signal);
    else await workWhileHeld(candidate, { options, held, work }, signal);
  }
}

interface Term {
  readonly options: ElectionOptions;
  readonly held: Held;
  readonly work: (signal: AbortSignal) => Promise<void>;
}

async function workWhileHeld(candidate: Candidate, term: Term, signal: AbortSignal): Promise<void> {
  const { options } = term;
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  options.log.info({ lease: options.lease.name, identity: options.identity }, 'this replica is the leader');
  options.onRole('leader');
  const renewing = candidate.renewUntilLost(term.held, until).finally(() => over.abort());
  try {
    await term.work(until);
  } finally {
    over.abort();
    const last = await renewing;
    options.onRole('standby');
    if (last !== undefined) await candidate.release(last);
    else options.log.warn({ lease: options.lease.name }, 'this replica is no longer the leader');
  }
}

/** A Lease in our hands, as it was last written. */
interface Held {
  readonly view: LeaseView;
  /** When that write was sent, monotonic milliseconds: from then on counts its duration. */
  readonly since: number;
}

interface Candidate {
  readonly retryMs: number;
  tryToTake(signal: AbortSignal): Promise<Held | undefined>;
  /** Resolves with the Lease that is still held when the signal aborts, with nothing when it was lost. */
  renewUntilLost(held: Held, signal: AbortSignal): Promise<Held | undefined>;
  release(held: Held): Promise<void>;
}

const releaseMs = 5_000;

function createCandidate(options: ElectionOptions): Candidate {
  const { lease, identity, leaseMs } = options;
  const renewMs = (leaseMs * 2) / 3;
  const retryMs = (leaseMs * 2) / 15;
  const complain = createComplaint(options);
  let observed: { resourceVersion: string; at: number } | undefined;

  const isFree = (seen: LeaseView | undefined): boolean => {
    if (seen === undefined || seen.holder === '' || seen.holder === identity) return true;
    const now = performance.now();
    if (observed?.resourceVersion !== seen.resourceVersion) {
      observed = { resourceVersion: seen.resourceVersion, at: now };
    }
    return now - observed.at > seen.durationMs;
  };

  const write = async (seen: LeaseView | undefined, signal: AbortSignal): Promise<Held> => {
    const since = performance.now();
    return { view: await lease.write(seen, identity, signal), since };
  };

  return {
    retryMs,
    async tryToTake(signal) {
      try {
        const within = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(renewMs))]);
        const seen = await lease.read(within);
        return isFree(seen) ? await write(seen, within) : undefined;
      } catch (error) {
        if (!signal.aborted && !isOperatorError(error, 'Conflict')) complain(error);
        return undefined;
      }
    },
    async renewUntilLost(first, signal) {
      let held = first;
      for (;;) {
        await pause(retryMs, signal);
        if (signal.aborted) return held;
        const leftMs = held.since + renewMs - performance.now();
        try {
          if (leftMs > 0) held = await write(held.view, AbortSignal.timeout(Math.ceil(leftMs)));
        } catch (error) {
          complain(error);
          if (isOperatorError(error, 'Conflict') || isOperatorError(error, 'NotFound')) return undefined;
        }
        if (performance.now() - held.since > renewMs) return undefined;
      }
    },
    async release({ view }) {
      try {
        await lease.write(view, '', AbortSignal.timeout(releaseMs));
      } catch (error) {
        complain(error);
      }
    },
  };
}

/** Says the same thing once, not every two seconds. */
function createComplaint({ lease, log }: ElectionOptions): (error: unknown) => void {
  let last = '';
  return (error) => {
    const message = messageOf(error);
    if (message === last) return;
    last = message;
    log.warn(
      { lease: lease.name },
      `the Lease of the leader could not be read or written: ${message}; its namespace must exist and the account needs ` +
        'get, create and update on leases there',
    );
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
