import { describe, expect, test } from 'vitest';

import { createSharedValues } from '../../domain/shared-values.ts';

describe('createSharedValues', () => {
  test('gives whoever comes with an equal key the first value', () => {
    const values = createSharedValues<object>(10);
    const first = { kind: 'Deployment' };
    expect(values.share('Deployment', first)).toBe(first);
    expect(values.share('Deployment', { kind: 'Deployment' })).toBe(first);
    expect(values.share('Service', { kind: 'Service' })).toEqual({ kind: 'Service' });
  });

  test('holds no more than it may, and shares anew after that', () => {
    const values = createSharedValues<object>(2);
    const old = values.share('a', {});
    values.share('b', {});
    values.share('c', {});
    const later = {};
    expect(values.share('a', later)).toBe(later);
    expect(values.share('a', {})).toBe(later);
    expect(later).not.toBe(old);
  });
});
