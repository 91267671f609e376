import { expect, test } from 'vitest';

import { age } from '../../cli/output/age.ts';

const now = Date.parse('2026-01-02T00:00:00Z');
const before = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

test.each([
  [0, '0s'],
  [119, '119s'],
  [120, '2m'],
  [312, '5m12s'],
  [599, '9m59s'],
  [3_600, '60m'],
  [3 * 3_600 + 60, '3h1m'],
  [20 * 3_600, '20h'],
  [12 * 86_400, '12d'],
  [-50, '0s'],
])('%i seconds are written %s', (seconds, text) => {
  expect(age(before(seconds), now)).toBe(text);
});

test.each([undefined, null, '', 'soon'])('no time is written as nothing: %s', (time) => {
  expect(age(time, now)).toBe('');
});
