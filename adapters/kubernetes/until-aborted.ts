/** Ends the wait of one caller with the signal's reason; what it waited for goes on for others. */
export async function untilAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([shared, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
