/** Wakes one waiting loop, from outside or after a time. */
export interface Alarm {
  /** Also while nobody waits: the next wait then ends at once. */
  ring(): void;
  /** Resolves when it rings, after the time, or when the signal aborts. */
  wait(ms: number): Promise<void>;
}

export function createAlarm(signal: AbortSignal): Alarm {
  let rung = Promise.withResolvers<void>();
  const ring = (): void => rung.resolve();
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined;
      const due = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.max(0, ms));
      });
      await Promise.race([rung.promise, due]);
      clearTimeout(timer);
      if (!signal.aborted) rung = Promise.withResolvers<void>();
    },
  };
}
