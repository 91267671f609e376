import type { RepairRecord } from './repair-backoff.ts';

/** What one observing activity is told. */
export interface ObserveInput {
  /** `<namespace>/<name>` of a ClusterProfile, or `local`. */
  readonly target: string;
  /** After this time it returns, so that the workflow may continue as new. */
  readonly minutes: number;
  /** Objects whose repairs did not hold lately. */
  readonly disputed: readonly RepairRecord[];
}

export interface ObserveResult {
  /** Whether a component still names the target. */
  readonly used: boolean;
  readonly disputed: readonly RepairRecord[];
}
