import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { IntOrString, Quantity } from '../../domain/api/core/quantity.ts';
import { structuralSchema } from '../../scripts/crds/structural-schema.ts';

describe('structuralSchema', () => {
  test.each([
    ['a 32-bit integer', z.int32(), { type: 'integer', format: 'int32' }],
    ['a bounded 32-bit integer', z.int32().min(0), { type: 'integer', format: 'int32', minimum: 0 }],
    ['a 64-bit integer', z.int(), { type: 'integer', format: 'int64' }],
    ['a time', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['a map', z.record(z.string(), z.string()), { type: 'object', additionalProperties: { type: 'string' } }],
    [
      'an int-or-string',
      IntOrString,
      { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    ],
    [
      'an object with a default and an optional field',
      z.object({ a: z.string().default('x'), b: z.boolean().optional(), c: z.string() }),
      {
        type: 'object',
        required: ['c'],
        properties: { a: { type: 'string', default: 'x' }, b: { type: 'boolean' }, c: { type: 'string' } },
      },
    ],
    [
      'a list with a merge rule',
      z.array(z.string()).meta({ 'x-kubernetes-list-type': 'atomic' }),
      { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
    ],
  ])('converts %s', (_what, schema, expected) => {
    expect(structuralSchema(schema)).toEqual(expected);
  });

  test('keeps the pattern of a quantity', () => {
    expect(structuralSchema(Quantity)['pattern']).toContain('[KMGTPE]i');
  });

  test.each([
    ['a union of objects', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ['anything', z.object({ a: z.unknown() })],
    ['an exclusive bound', z.number().gt(3)],
  ])('refuses %s, which has no structural form', (_what, schema) => {
    expect(() => structuralSchema(schema)).toThrow(/has no structural form/);
  });
});
