import { describe, expect, test } from 'vitest';

import { spreadOf } from '../../bench/measurement.ts';

describe('spreadOf', () => {
  test.each([
    [[3], { median: 3, least: 3, most: 3 }],
    [[9, 1, 5], { median: 5, least: 1, most: 9 }],
    [[10, 2, 4, 8], { median: 6, least: 2, most: 10 }],
  ])('orders %j by value', (values, spread) => {
    expect(spreadOf(values)).toEqual(spread);
  });
});
