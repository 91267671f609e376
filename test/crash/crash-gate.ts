import type { FaultPlan } from '../../dev/fault-proxy/http-fault.ts';

/** Just before the write reaches the server, just after the server has done it, or once the worker knows of it. */
export const moments = ['before', 'after', 'reported'] as const;

export interface CrashPoint {
  /** Writes of one cycle are numbered from 1 in the order of their arrival. */
  readonly write: number;
  readonly moment: (typeof moments)[number];
}

/** Long enough for an answer to reach the worker, short enough that little follows. */
const reportMs = 60;

/** Counts the writes that reach a proxy, and calls `crash` once at one of them. */
export interface CrashGate {
  readonly plan: FaultPlan;
  readonly writes: readonly string[];
  /** Counts from 1 again; without a point nothing crashes. */
  arm(point: CrashPoint | undefined): void;
}

export function createCrashGate(crash: () => void): CrashGate {
  const writes: string[] = [];
  let point: CrashPoint | undefined;
  const plan: FaultPlan = ({ method, path }) => {
    if (method === 'GET') return undefined;
    writes.push(`${method} ${path}`);
    if (point?.write !== writes.length) return undefined;
    switch (point.moment) {
      case 'before':
        crash();
        return { type: 'answer', status: 503, body: '' };
      case 'after':
        return { type: 'withhold', answered: crash };
      case 'reported':
        setTimeout(crash, reportMs);
        return undefined;
    }
  };
  return {
    plan,
    writes,
    arm(next) {
      writes.length = 0;
      point = next;
    },
  };
}
