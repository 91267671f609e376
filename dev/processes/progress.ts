const intervalMs = 10_000;

/** Does slow work and says so on standard error: at the start, every 10 s with the time taken so far, and at the end. */
export async function withProgress<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const seconds = (): string => `${String(Math.round((performance.now() - startedAt) / 1000))} s`;
  process.stderr.write(`${what} ...\n`);
  const timer = setInterval(() => process.stderr.write(`${what} ... ${seconds()}\n`), intervalMs);
  try {
    const result = await work();
    process.stderr.write(`${what}: done in ${seconds()}\n`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
