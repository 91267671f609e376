/** Bounds requests to one cluster: how many at once, and how many a second. */
export interface RequestLimiter {
  /** Resolves when a request may go; call the result once when it ended. Rejects with the reason when the signal aborts. */
  acquire(signal?: AbortSignal): Promise<() => void>;
}

export interface RequestLimits {
  readonly inFlight: number;
  readonly requestsPerSecond: number;
  readonly burst: number;
}

interface Waiter {
  readonly go: () => void;
}

/** A first-in first-out semaphore in front of a token bucket on the monotonic clock. */
export function createRequestLimiter(limits: RequestLimits): RequestLimiter {
  const waiters: Waiter[] = [];
  let running = 0;
  let tokens = limits.burst;
  let refilledAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  const refill = (): void => {
    const now = performance.now();
    tokens = Math.min(limits.burst, tokens + ((now - refilledAt) / 1000) * limits.requestsPerSecond);
    refilledAt = now;
  };

  const pump = (): void => {
    refill();
    while (waiters.length > 0 && running < limits.inFlight && tokens >= 1) {
      tokens -= 1;
      running += 1;
      waiters.shift()?.go();
    }
    if (waiters.length > 0 && tokens < 1 && timer === undefined) {
      const waitMs = ((1 - tokens) / limits.requestsPerSecond) * 1000;
      timer = setTimeout(() => {
        timer = undefined;
        pump();
      }, waitMs + 1);
    }
  };

  const release = (): void => {
    running -= 1;
    pump();
  };

  return {
    acquire(signal) {
      return new Promise((resolve, reject) => {
        const abort = (): void => {
          const index = waiters.indexOf(waiter);
          if (index >= 0) waiters.splice(index, 1);
          reject(signal?.reason as Error);
        };
        const waiter: Waiter = {
          go: () => {
            signal?.removeEventListener('abort', abort);
            resolve(release);
          },
        };
        if (signal?.aborted === true) {
          reject(signal.reason as Error);
          return;
        }
        signal?.addEventListener('abort', abort, { once: true });
        waiters.push(waiter);
        pump();
      });
    },
  };
}
