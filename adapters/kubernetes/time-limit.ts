/** An abort signal with a time limit that can be moved while work goes on. */
export interface TimeLimit {
  /** Aborts when the time is over, or with the caller's reason when the caller's signal does. */
  readonly signal: AbortSignal;
  /** Starts the time anew with another length. */
  restart(milliseconds: number, message: string): void;
  /** Ends the limit and lets go of the caller's signal. Idempotent. */
  release(): void;
}

/** The reason of an abort that nobody asked for: the time was over. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

/** Listens to the caller's signal only until it is released, so that a long-lived signal gathers no listeners. */
export function createTimeLimit(caller: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const forward = (): void => controller.abort(caller?.reason);
  let timer: NodeJS.Timeout | undefined;
  if (caller?.aborted === true) forward();
  else caller?.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    restart(milliseconds, message) {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(new TimeLimitExceeded(message)), milliseconds);
    },
    release() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', forward);
    },
  };
}
