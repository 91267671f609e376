import { describe, expect, test } from 'vitest';

import { summarizeChanges } from '../../../domain/manifests/change-set.ts';
import type { AppliedObject } from '../../../domain/manifests/change-set.ts';

function created(name: string, kind = 'ValidatingWebhookConfiguration'): AppliedObject {
  const object = { apiVersion: 'v1', kind, metadata: { name, namespace: 'knative-serving' } };
  return { object, change: 'created', metadata: object.metadata, adopted: false };
}

describe('summarizeChanges', () => {
  test('stays below what a result in history may hold, whatever the names are', () => {
    const kinds = Array.from({ length: 25 }, (_, index) => `ValidatingConfiguration${String(index)}`);
    const long = kinds.flatMap((kind) =>
      Array.from({ length: 40 }, (_, index) => created(`${'ü'.repeat(200)}${String(index)}`, kind)),
    );
    const summary = summarizeChanges(long);
    expect(new TextEncoder().encode(JSON.stringify(summary)).length).toBeLessThan(2_048);
  });

  test('counts by kind exactly the objects that it does not name', () => {
    const summary = summarizeChanges(
      Array.from({ length: 50 }, (_, index) => created(`name-${String(index)}`)),
    );
    const unnamed = Object.values(summary.more).reduce((sum, count) => sum + count, 0);
    expect(summary.names.length + unnamed).toBe(50);
    expect(summary.names[0]).toBe('ValidatingWebhookConfiguration knative-serving/name-0');
    expect(summary.created).toBe(50);
  });

  test('names all of a few', () => {
    expect(summarizeChanges([created('a', 'Service')])).toMatchObject({
      names: ['Service knative-serving/a'],
      more: {},
    });
  });
});
