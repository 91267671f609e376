/** How long an action took, in seconds. */
export async function seconds(action: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return (performance.now() - startedAt) / 1000;
}
