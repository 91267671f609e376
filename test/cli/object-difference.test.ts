import { describe, expect, test } from 'vitest';

import { differenceOf } from '../../cli/diff/object-difference.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';

const secret = (data: Record<string, string>): ManifestObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'n' },
  data,
});

describe('differenceOf', () => {
  test('shows no value of a Secret, and still which of them differ', () => {
    const difference = differenceOf(
      secret({ a: 'b2xk', b: 'c2FtZQ==' }),
      secret({ a: 'bmV3', b: 'c2FtZQ==' }),
    );
    expect(difference).toMatchObject({ object: 'Secret n/s', change: 'change' });
    expect(difference?.diff).toMatch(/^-  a: "?\*\*\* \(before\)"?$/m);
    expect(difference?.diff).toMatch(/^\+  a: "?\*\*\* \(after\)"?$/m);
    for (const value of ['b2xk', 'bmV3', 'c2FtZQ==']) expect(difference?.diff).not.toContain(value);
  });

  test('ignores what the server keeps for itself', () => {
    const live = { ...secret({}), status: { x: 1 } };
    const metadata = { ...live.metadata, uid: 'u', resourceVersion: '1', generation: 3, managedFields: [] };
    expect(differenceOf({ ...live, metadata }, secret({}))).toBeUndefined();
  });

  test('shows an object that is not there as one to create', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { k: 'v' } };
    const difference = differenceOf(undefined, object);
    expect(difference?.change).toBe('create');
    expect(difference?.diff).toContain('+  k: v');
  });
});
