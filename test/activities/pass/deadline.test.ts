import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createDeadline } from '../../../activities/pass/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a deadline', () => {
  test('aborts when its time is over and says how long that was', () => {
    const { signal } = createDeadline(120_000);
    vi.advanceTimersByTime(119_999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toMatchObject({ message: 'the time limit of 120 s is over' });
  });

  test('that was ended leaves no timer behind and never aborts', () => {
    const deadline = createDeadline(120_000);
    deadline.end();
    expect(vi.getTimerCount()).toBe(0);
    expect(deadline.signal.aborted).toBe(false);
  });
});
