/** A process that hangs while it ends must not need a kill from outside. */
export interface StopOptions {
  /** From the signal to the forced end, milliseconds. */
  readonly withinMs: number;
  readonly onSignal: (name: string) => void;
}

/**
 * Aborts at the first SIGTERM or SIGINT. The process ends with exit code 1 when it is still there after the time, or at a
 * second signal.
 */
export function stopSignal(options: StopOptions): AbortSignal {
  const stop = new AbortController();
  const receive = (name: string): void => {
    if (stop.signal.aborted) process.exit(1);
    options.onSignal(name);
    setTimeout(() => process.exit(1), options.withinMs).unref();
    stop.abort(new Error(`received ${name}`));
  };
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => receive(name));
  return stop.signal;
}
