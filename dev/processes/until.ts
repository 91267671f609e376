import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again every 50 ms until the answer is not undefined; rejects with what it waited for after the time limit. */
export async function until<T>(
  what: string,
  timeoutMs: number,
  probe: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const value = await probe();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    await sleep(50);
  }
  const why = last instanceof Error ? `: ${last.message}` : '';
  throw new Error(`${what} did not happen within ${String(timeoutMs / 1000)} s${why}`);
}
