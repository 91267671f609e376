import { describe, expect, test } from 'vitest';

import { Duration, durationMs } from '../../../domain/api/duration.ts';

describe('Duration', () => {
  test.each(['90s', '1h30m', '72h', '1.5h', '250ms'])('accepts %s', (text) => {
    expect(Duration.safeParse(text).success).toBe(true);
  });

  test.each(['', '3', '3d', '-1h', '1h ', 'PT1H', 'h', '1H'])('refuses %j', (text) => {
    expect(Duration.safeParse(text).success).toBe(false);
  });
});

describe('durationMs', () => {
  test.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['72h', 259_200_000],
    ['2m250ms', 120_250],
  ])('reads %s', (text, expected) => {
    expect(durationMs(text)).toBe(expected);
  });
});
