import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createBriefCache } from '../../../activities/plan/brief-cache.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a brief cache', () => {
  test('keeps a value for as long as somebody asks for it often enough, and no longer', () => {
    const cache = createBriefCache<string>(1_000);
    cache.set('a', 'one');
    vi.advanceTimersByTime(900);
    expect(cache.get('a')).toBe('one');
    vi.advanceTimersByTime(900);
    expect(cache.get('a')).toBe('one');
    vi.advanceTimersByTime(1_000);
    expect(cache.get('a')).toBeUndefined();
  });

  test('counts the time of a value that was set anew from then on', () => {
    const cache = createBriefCache<string>(1_000);
    cache.set('a', 'one');
    vi.advanceTimersByTime(900);
    cache.set('a', 'two');
    vi.advanceTimersByTime(900);
    expect(cache.get('a')).toBe('two');
  });
});
