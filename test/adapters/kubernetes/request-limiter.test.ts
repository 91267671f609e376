import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createRequestLimiter } from '../../../adapters/kubernetes/request-limiter.ts';

describe('createRequestLimiter', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const start = (limits: { inFlight: number; requestsPerSecond: number; burst: number }, count: number) => {
    const limiter = createRequestLimiter(limits);
    const started: (() => void)[] = [];
    for (let index = 0; index < count; index++) {
      void limiter.acquire().then((release) => started.push(release));
    }
    return { limiter, started };
  };

  test('lets no more than the limit go at once, in the order of their coming', async () => {
    const { limiter, started } = start({ inFlight: 3, requestsPerSecond: 1000, burst: 1000 }, 5);
    const order: string[] = [];
    void limiter.acquire().then(() => order.push('sixth'));
    void limiter.acquire().then(() => order.push('seventh'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(started).toHaveLength(3);
    for (const release of started.splice(0)) release();
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toHaveLength(2);
    expect(order).toEqual(['sixth']);
  });

  test('lets a burst go at once and the rest by the second', async () => {
    const { started } = start({ inFlight: 1000, requestsPerSecond: 10, burst: 20 }, 100);
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toHaveLength(20);
    await vi.advanceTimersByTimeAsync(2000);
    expect(started.length).toBeGreaterThanOrEqual(38);
    expect(started.length).toBeLessThanOrEqual(40);
  });

  test('takes a caller that gives up out of the queue, with its own reason', async () => {
    const { limiter, started } = start({ inFlight: 1, requestsPerSecond: 1000, burst: 1000 }, 1);
    const controller = new AbortController();
    const waiting = limiter.acquire(controller.signal);
    const next = limiter.acquire();
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    started[0]?.();
    await expect(next).resolves.toBeTypeOf('function');
    await expect(limiter.acquire(controller.signal)).rejects.toThrow('enough');
  });
});
