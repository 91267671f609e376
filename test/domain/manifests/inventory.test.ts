import { describe, expect, test } from 'vitest';

import type { InventoryEntry } from '../../../domain/manifests/inventory.ts';
import { intentOf, obsoleteEntries, unionOf } from '../../../domain/manifests/inventory.ts';
import { yamlObject } from '../../support/rendering.ts';

const since = '2026-02-02T00:00:00Z';
const config = yamlObject('{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: ns}}');
const scaler = yamlObject(
  '{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a, namespace: ns}}',
);
const crd = yamlObject(
  '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: as.b}}',
);

function recorded(more: Partial<InventoryEntry> = {}): InventoryEntry {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: 'ns',
    name: 'a',
    since: '2026-01-01T00:00:00Z',
    ...more,
  };
}

describe('obsoleteEntries', () => {
  test('names what was recorded and is not wanted any more', () => {
    const gone = recorded({ name: 'gone' });
    const elsewhere = recorded({ namespace: 'other' });
    expect(obsoleteEntries([recorded(), gone, elsewhere], [config])).toEqual([gone, elsewhere]);
  });

  test('takes an object for the same after its API version changed', () => {
    const old = recorded({ apiVersion: 'autoscaling/v2beta2', kind: 'HorizontalPodAutoscaler' });
    expect(obsoleteEntries([old], [scaler])).toEqual([]);
  });

  test('takes equal names of two API groups for two objects', () => {
    const other = recorded({ apiVersion: 'example.com/v1' });
    expect(obsoleteEntries([other], [config])).toEqual([other]);
  });
});

describe('unionOf', () => {
  test('keeps what is known of an object and adds only what is not', () => {
    const mine = recorded({ uid: '1' });
    const more = recorded({ name: 'more', uid: '3' });
    expect(unionOf([mine], [recorded({ uid: '2' }), more])).toEqual([mine, more]);
  });
});

describe('intentOf', () => {
  test('joins what was recorded with what is wanted, each with its own time', () => {
    const gone = recorded({ name: 'gone', uid: '1' });
    expect(intentOf([gone, recorded({ uid: '2' })], [config, scaler], since)).toEqual([
      gone,
      recorded({ uid: '2' }),
      { ...recorded(), apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', since },
    ]);
  });

  test('leaves out CRDs, which stay on the cluster for ever', () => {
    expect(intentOf([], [crd], since)).toEqual([]);
  });

  test('marks roles whose rules a controller gathers', () => {
    const role = yamlObject(
      '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: a}, aggregationRule: {}}',
    );
    expect(intentOf([], [role], since)).toMatchObject([{ kind: 'ClusterRole', aggregated: true }]);
  });
});
