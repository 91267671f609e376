import { setTimeout as sleep } from 'node:timers/promises';

const intervalMs = 50;

/**
 * Asks again every 50 ms until the answer is not undefined. Rejects with what it waited for and the last failure of the
 * probe after the time limit, and with the signal's reason as soon as that aborts.
 */
export async function until<T>(
  what: string,
  timeoutMs: number,
  probe: () => Promise<T | undefined>,
  signal?: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    try {
      const value = await probe();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    await sleep(intervalMs);
  }
  const why = last instanceof Error ? `: ${last.message}` : '';
  throw new Error(`${what} did not happen within ${String(timeoutMs / 1000)} s${why}`);
}
