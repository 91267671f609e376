import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import type { ElectionLease, LeaseView } from '../../adapters/hub/election-lease.ts';
import { until } from '../../dev/processes/until.ts';
import { OperatorError } from '../../domain/errors.ts';
import { workAsLeader } from '../../starter/leader-election.ts';

const leaseMs = 3_000;

/** One Lease as an API server keeps it, and the way of each candidate to it. */
function createLease() {
  let stored: LeaseView | undefined;
  let version = 0;
  return {
    holder: () => stored?.holder,
    lease(link: { cut: boolean }): ElectionLease {
      const reach = (): void => {
        if (link.cut) throw new OperatorError('SpokeUnreachable', 'the hub does not answer');
      };
      return {
        name: 'operator/starter',
        async read() {
          reach();
          return stored;
        },
        async write(seen, holder) {
          reach();
          if (seen?.resourceVersion !== stored?.resourceVersion)
            throw new OperatorError('Conflict', 'another one was faster');
          const transitions = (stored?.transitions ?? 0) + 1;
          version += 1;
          const durationMs = holder === '' ? 1 : leaseMs;
          stored = { holder, durationMs, acquireTime: '', transitions, resourceVersion: String(version) };
          return stored;
        },
      };
    },
  };
}

/** A replica that notes when it works. */
function createReplica(store: ReturnType<typeof createLease>, identity: string, events: string[]) {
  const link = { cut: false };
  const stop = new AbortController();
  const warnings: string[] = [];
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (_: object, text: string) => void warnings.push(text),
  };
  const work = async (signal: AbortSignal): Promise<void> => {
    events.push(`${identity} begins`);
    await sleep(600_000, undefined, { signal }).catch(() => undefined);
    events.push(`${identity} ends`);
  };
  const options = { lease: store.lease(link), identity, leaseMs, log, onRole: () => {} };
  const ended = workAsLeader(options, work, stop.signal);
  return {
    link,
    warnings,
    async stop() {
      stop.abort();
      await ended;
    },
  };
}

const seen = (events: readonly string[], event: string): Promise<true> =>
  until(event, 30_000, async () => (events.includes(event) ? true : undefined));

describe('the election of a leader', () => {
  test('a leader that is cut off stops before another one begins, and competes again', async () => {
    const store = createLease();
    const events: string[] = [];
    const one = createReplica(store, 'one', events);
    await seen(events, 'one begins');
    const two = createReplica(store, 'two', events);
    one.link.cut = true;
    await seen(events, 'two begins');
    expect(events).toEqual(['one begins', 'one ends', 'two begins']);
    expect(one.warnings.filter((text) => text.includes('get, create and update on leases'))).toHaveLength(1);
    one.link.cut = false;
    await two.stop();
    await until('one leads again', 10_000, async () =>
      events.filter((event) => event === 'one begins').length === 2 ? true : undefined,
    );
    await one.stop();
    expect(events).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'one begins', 'one ends']);
    expect(store.holder()).toBe('');
  });

  test('a leader that goes on renewing keeps its place', async () => {
    const store = createLease();
    const events: string[] = [];
    const one = createReplica(store, 'one', events);
    await seen(events, 'one begins');
    const two = createReplica(store, 'two', events);
    await sleep(1.5 * leaseMs);
    expect(events).toEqual(['one begins']);
    await Promise.all([one.stop(), two.stop()]);
  });

  test('a defect of the work ends the replica and gives the Lease back', async () => {
    const store = createLease();
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const options = { lease: store.lease({ cut: false }), identity: 'one', leaseMs, log, onRole: () => {} };
    const work = () => Promise.reject(new Error('a defect'));
    await expect(workAsLeader(options, work, new AbortController().signal)).rejects.toThrow('a defect');
    expect(store.holder()).toBe('');
  });
});
