import { describe, expect, test } from 'vitest';

import { yamlObject } from '../support/rendering.ts';
import { compareObjects, compareValues } from './compare.ts';

describe('compareValues', () => {
  test.each<[string, unknown, unknown, readonly unknown[]]>([
    ['another order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['a changed value', { a: { b: [1] } }, { a: { b: [2] } }, [{ path: 'a.b[0]', ours: 1, recorded: 2 }]],
    ['another type', { a: '1' }, { a: 1 }, [{ path: 'a', ours: '1', recorded: 1 }]],
    ['a field that only we have', { a: 1 }, {}, [{ path: 'a', ours: 1, recorded: undefined }]],
    ['a field that we lack', {}, { a: null }, [{ path: 'a', ours: undefined, recorded: null }]],
    ['an empty map for none', { a: {} }, {}, [{ path: 'a', ours: {}, recorded: undefined }]],
    ['a longer list', [1, 2], [1], [{ path: '[1]', ours: 2, recorded: undefined }]],
    [
      'another order in a list',
      [1, 2],
      [2, 1],
      [
        { path: '[0]', ours: 1, recorded: 2 },
        { path: '[1]', ours: 2, recorded: 1 },
      ],
    ],
    ['a map for a list', { a: [] }, { a: {} }, [{ path: 'a', ours: [], recorded: {} }]],
  ])('judges %s', (_what, ours, recorded, differences) => {
    expect(compareValues(ours, recorded)).toEqual(differences);
  });
});

describe('compareObjects', () => {
  const object = (name: string, value: string) =>
    yamlObject(
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ns, uid: ${value}}, data: {k: ${value}}}`,
    );

  test('names objects that only one side has, and fields of those that both have', () => {
    const differences = compareObjects(
      [object('both', 'x'), object('more', 'x')],
      [object('both', 'y'), object('missing', 'x')],
    );
    expect(differences).toEqual([
      { object: '/ConfigMap/ns/both', path: 'data.k', ours: 'x', recorded: 'y' },
      { object: '/ConfigMap/ns/missing', path: '', ours: undefined, recorded: 'present' },
      { object: '/ConfigMap/ns/more', path: '', ours: 'present', recorded: undefined },
    ]);
  });
});
