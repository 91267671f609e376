import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { collectAfterBursts } from '../../worker/collect-after-bursts.ts';

const end = { activity: 'applyStages', component: undefined, outcome: 'completed', milliseconds: 1 } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('collectAfterBursts', () => {
  test('collects once when a burst of activities is over, and again after the next one', () => {
    const collections: number[] = [];
    const observe = collectAfterBursts(() => collections.push(Date.now()));
    for (const round of [1, 2]) {
      for (let count = 0; count < 200; count += 1) {
        vi.advanceTimersByTime(100);
        observe(end);
        expect(collections).toHaveLength(round - 1);
      }
      vi.advanceTimersByTime(3_600_000);
      expect(collections).toHaveLength(round);
    }
  });

  test('leaves a quiet worker alone: a few activities now and then add up to a burst only after a long time', () => {
    let collected = 0;
    const observe = collectAfterBursts(() => (collected += 1));
    for (let count = 0; count < 200; count += 1) {
      vi.advanceTimersByTime(60_000);
      observe(end);
    }
    vi.advanceTimersByTime(60_000);
    expect(collected).toBe(20);
  });
});
