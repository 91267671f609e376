/** Waits that double from a minimum to a maximum, each with a quarter of jitter to both sides. */
export interface Backoff {
  /** Milliseconds to wait now. */
  next(): number;
  reset(): void;
}

export function createBackoff(bounds: { readonly minMs: number; readonly maxMs: number }): Backoff {
  let current = bounds.minMs;
  return {
    next() {
      const wait = current * (0.75 + Math.random() / 2);
      current = Math.min(current * 2, bounds.maxMs);
      return wait;
    },
    reset() {
      current = bounds.minMs;
    },
  };
}
