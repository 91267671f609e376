/** A signal that aborts when a time is over. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Takes the limit away. Idempotent. */
  end(): void;
}

/**
 * Unlike that of AbortSignal.timeout its timer can be ended: one that runs on for minutes holds on to everything that the
 * activity was given.
 */
export function createDeadline(milliseconds: number): Deadline {
  const controller = new AbortController();
  const message = `the time limit of ${String(milliseconds / 1000)} s is over`;
  const timer = setTimeout(() => controller.abort(new Error(message)), milliseconds);
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}
