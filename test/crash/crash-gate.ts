import { setTimeout as sleep } from 'node:timers/promises';

import type { FaultPlan, HttpFault } from '../../dev/fault-proxy/http-fault.ts';

/** Just before the write reaches the server, just after the server has done it, or once the worker knows of it. */
export const moments = ['before', 'after', 'reported'] as const;

export interface CrashPoint {
  /** As the gate names it. */
  readonly write: string;
  readonly moment: (typeof moments)[number];
}

/** Long enough for an answer to reach the worker, short enough that little follows. */
const reportMs = 60;

/** Sees the writes that reach the proxies of the hub and the spoke, and calls `crash` once at one of them. */
export interface CrashGate {
  readonly plans: Readonly<Record<'hub' | 'spoke', FaultPlan>>;
  /** Since it was armed, in the order of their arrival. */
  readonly writes: readonly string[];
  /** Forgets the writes so far; without a point nothing crashes. */
  arm(point: CrashPoint | undefined): void;
  /** The crash and what it called; undefined until the write has come. */
  readonly struck: Promise<void> | undefined;
}

/**
 * A write is known by its cluster and request and by how many equal ones came before it: requests that are under way at
 * once arrive in another order in each run, and still each has its turn.
 */
export function createCrashGate(crash: () => Promise<void>): CrashGate {
  let writes: string[] = [];
  let seen = new Map<string, number>();
  let point: CrashPoint | undefined;
  let struck: Promise<void> | undefined;
  const planOf = (cluster: string): FaultPlan => {
    return (request) => {
      if (!isWrite(request)) return undefined;
      const path = request.path.replace(/[0-9a-f]{20}$/, '<hash of the UID>');
      const name = `${request.method} ${cluster} ${path}`;
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      const write = times === 1 ? name : `${name} (${String(times)})`;
      writes.push(write);
      if (point?.write !== write) return undefined;
      const strike = strikes[point.moment](crash);
      struck = strike.done;
      return strike.fault;
    };
  };
  return {
    plans: { hub: planOf('hub'), spoke: planOf('spoke') },
    get writes() {
      return writes;
    },
    get struck() {
      return struck;
    },
    arm(next) {
      writes = [];
      seen = new Map();
      struck = undefined;
      point = next;
    },
  };
}

/** Reviews of access and dry runs change nothing. Events only tell, and nothing depends on them. */
function isWrite({ method, path, query }: Parameters<FaultPlan>[0]): boolean {
  if (method === 'GET' || query.has('dryRun')) return false;
  return !/reviews$|\/events(\/|$)/.test(path);
}

interface Strike {
  readonly done: Promise<void>;
  readonly fault?: HttpFault;
}

const strikes: Readonly<Record<CrashPoint['moment'], (crash: () => Promise<void>) => Strike>> = {
  before: (crash) => ({ done: crash(), fault: { type: 'answer', status: 503, body: '' } }),
  after(crash) {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { done: promise, fault: { type: 'withhold', answered: () => resolve(crash()) } };
  },
  reported: (crash) => ({ done: sleep(reportMs).then(crash) }),
};
