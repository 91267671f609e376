import { describe, expect, test } from 'vitest';

import { canonicalJson } from '../../../domain/manifests/canonical-json.ts';

describe('canonicalJson', () => {
  test('writes maps of equal content alike, whatever their order', () => {
    expect(canonicalJson({ b: [{ y: 1, x: 2 }], a: 'ä' })).toBe('{"a":"ä","b":[{"x":2,"y":1}]}');
    expect(canonicalJson({ a: 'ä', b: [{ x: 2, y: 1 }] })).toBe(
      canonicalJson({ b: [{ y: 1, x: 2 }], a: 'ä' }),
    );
  });

  test('keeps the order of lists', () => {
    expect(canonicalJson([2, 1])).toBe('[2,1]');
  });

  test('sorts by code unit, so that no locale changes it', () => {
    expect(canonicalJson({ ä: 1, b: 2, B: 3, '10': 4, '9': 5 })).toBe(
      canonicalJson({ '9': 5, B: 3, '10': 4, b: 2, ä: 1 }),
    );
  });

  test('leaves out undefined fields and keeps null', () => {
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
  });
});
