import { describe, expect, test } from 'vitest';

import {
  askedByClock,
  differingRequests,
  isolationPair,
  renderIsolation,
} from '../../bench/isolation-report.ts';

const run = (seconds: readonly number[], ...requests: readonly Record<string, number>[]) => ({
  secondsToReady: seconds,
  requests,
});

describe('isolationPair', () => {
  test('compares medians, and names what spokes were sent more often', () => {
    const alone = run([1, 2, 9], { 'GET /api': 1, 'PATCH /x': 2 }, { 'GET /api': 1, 'PATCH /x': 2 });
    const beside = run([2, 3, 4], { 'GET /api': 1, 'PATCH /x': 2 }, { 'GET /api': 2, 'PATCH /x': 2 });
    const pair = isolationPair(alone, beside);
    expect(pair).toEqual({
      alone: 2,
      beside: 3,
      ratio: 1.5,
      requestsAlone: 3,
      requestsBeside: 3.5,
      differences: ['GET /api: 1, 1.5'],
    });
    expect(renderIsolation({ healthy: 3, blackHoled: 1 }, [pair])).toContain('| 1 | 2.0 | 3.0 | 1.50 |');
  });
});

describe('differingRequests', () => {
  test('leaves out what is asked by the clock', () => {
    expect(askedByClock.size).toBeGreaterThan(0);
    for (const request of askedByClock) {
      expect(differingRequests(run([1], { [request]: 1 }), run([1], { [request]: 2 }))).toEqual([]);
    }
  });

  test('finds requests that only one run has, and none between equal runs', () => {
    const one = run([1], { 'GET /api': 1 });
    expect(differingRequests(one, run([1], { 'GET /api': 1, 'GET /apis': 1 }))).toEqual([
      { request: 'GET /apis', alone: 0, beside: 1 },
    ]);
    expect(differingRequests(one, one)).toEqual([]);
  });
});
