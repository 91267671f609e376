import { describe, expect, test } from 'vitest';

import { describeDrift, driftOf } from '../../../domain/manifests/drift.ts';
import type { InventoryEntry } from '../../../domain/manifests/inventory.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '../../../domain/manifests/object.ts';

const fields = { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } };
const entry: InventoryEntry = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'knative-serving',
  name: 'config-features',
  since: '2026-01-01T00:00:00Z',
  uid: 'u',
  fields,
};

const ours: ManagedFieldsEntry = {
  manager: 'knative-fleet',
  operation: 'Apply',
  time: '2026-01-01T00:00:00Z',
  fieldsV1: fields,
};

function written(manager: string, fieldsV1: object, more: Partial<ManagedFieldsEntry> = {}) {
  const time = '2026-01-02T00:00:00Z';
  return { manager, operation: 'Update', time, fieldsV1, ...more } as ManagedFieldsEntry;
}

function live(managedFields: readonly ManagedFieldsEntry[], more: Partial<ObjectMeta> = {}): ObjectMeta {
  return { uid: 'u', managedFields, ...more };
}

/** Our set after somebody else took field `a`. */
const withoutA = { ...ours, fieldsV1: { 'f:data': { '.': {}, 'f:b': {} } } };

describe('driftOf', () => {
  test('finds nothing when the object is as it was applied', () => {
    expect(driftOf(entry, live([ours]))).toBeUndefined();
  });

  test.each([
    ['a key that somebody added', [ours, written('kubectl-edit', { 'f:data': { 'f:c': {} } })]],
    ['a status', [ours, written('kube-controller-manager', { 'f:status': {} }, { subresource: 'status' })]],
    ['a field that somebody set to the same value', [ours, written('flux', { 'f:data': { 'f:a': {} } })]],
  ])('takes %s for no drift', (_, managedFields) => {
    expect(driftOf(entry, live(managedFields))).toBeUndefined();
  });

  test('finds a changed field, and who owns it now', () => {
    const other = written('kubectl-edit', { 'f:data': { 'f:a': {} } });
    const bystander = written('flux', { 'f:metadata': {} }, { time: '2026-01-03T00:00:00Z' });
    expect(driftOf(entry, live([withoutA, bystander, other]))).toMatchObject({
      change: 'edited',
      fields: ['.data.a'],
      managers: ['kubectl-edit'],
    });
  });

  test('finds a removed field, and who wrote last', () => {
    const other = written('kubectl-patch', { 'f:metadata': {} });
    const status = written(
      'kubelet',
      { 'f:status': {} },
      { subresource: 'status', time: '2026-01-03T00:00:00Z' },
    );
    expect(driftOf(entry, live([withoutA, other, status]))).toMatchObject({
      change: 'edited',
      fields: ['.data.a'],
      managers: ['kubectl-patch'],
    });
  });

  test('finds that managed fields were reset', () => {
    expect(driftOf(entry, live([]))).toMatchObject({ change: 'edited', fields: ['.data'] });
  });

  test('finds an object that is gone, and one that was made again by somebody else', () => {
    expect(driftOf(entry, undefined)).toMatchObject({ change: 'deleted' });
    expect(driftOf(entry, live([written('kubectl-create', {})], { uid: 'v' }))).toMatchObject({
      change: 'replaced',
      managers: ['kubectl-create'],
    });
  });

  test('waits for the end of an object that is being deleted', () => {
    expect(driftOf(entry, live([], { deletionTimestamp: '2026-01-02T00:00:00Z' }))).toBeUndefined();
  });

  test('expects nothing of a Job that is done, and of what was never applied', () => {
    expect(driftOf({ ...entry, done: 'digest' }, undefined)).toBeUndefined();
    expect(driftOf({ ...entry, uid: undefined }, undefined)).toBeUndefined();
  });

  test('compares only the UID where an older inventory knows no fields', () => {
    expect(driftOf({ ...entry, fields: undefined }, live([]))).toBeUndefined();
  });
});

describe('describeDrift', () => {
  test('names object, manager and fields', () => {
    expect(describeDrift({ entry, change: 'edited', fields: ['.data.a'], managers: ['kubectl-edit'] })).toBe(
      'ConfigMap knative-serving/config-features was edited by kubectl-edit: .data.a',
    );
    expect(describeDrift({ entry, change: 'deleted', fields: [], managers: [] })).toBe(
      'ConfigMap knative-serving/config-features was deleted',
    );
  });

  test('counts what it does not name, and stays short', () => {
    const many = Array.from({ length: 9 }, (_, index) => `.data.key-${String(index)}`);
    const text = describeDrift({ entry, change: 'edited', fields: many, managers: ['a'] });
    expect(text).toContain('.data.key-4 and 4 more');
    const long = many.map((field) => field.padEnd(100, 'x'));
    expect(describeDrift({ entry, change: 'edited', fields: long, managers: ['a'] })).toHaveLength(240);
  });
});
