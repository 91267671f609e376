/** Values that are needed again soon or not at all. */
export interface BriefCache<T> {
  /** Undefined when it was neither set nor asked for during the time that values are kept. */
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/** Keeps each value until nobody has asked for it for `keptMs`; holds no process up. */
export function createBriefCache<T>(keptMs: number): BriefCache<T> {
  const kept = new Map<string, { readonly value: T; readonly timer: NodeJS.Timeout }>();
  return {
    get(key) {
      const found = kept.get(key);
      found?.timer.refresh();
      return found?.value;
    },
    set(key, value) {
      clearTimeout(kept.get(key)?.timer);
      const timer = setTimeout(() => kept.delete(key), keptMs).unref();
      kept.set(key, { value, timer });
    },
  };
}
