import { describe, expect, test } from 'vitest';

import type { InventoryEntry } from '../../../domain/manifests/inventory.ts';
import { removalStages } from '../../../domain/manifests/removal-stages.ts';

function entry(apiVersion: string, kind: string, more: Partial<InventoryEntry> = {}): InventoryEntry {
  return { apiVersion, kind, namespace: '', name: 'a', since: '2026-01-01T00:00:00Z', ...more };
}

describe('removalStages', () => {
  const entries = [
    entry('v1', 'Namespace'),
    entry('rbac.authorization.k8s.io/v1', 'ClusterRole', { aggregated: true, name: 'aggregated' }),
    entry('rbac.authorization.k8s.io/v1', 'ClusterRole'),
    entry('v1', 'ServiceAccount'),
    entry('apps/v1', 'Deployment'),
    entry('v1', 'ConfigMap'),
    entry('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
    entry('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'),
    entry('apiregistration.k8s.io/v1', 'APIService'),
  ];
  const stages = removalStages(entries).objects.map((stage) => stage.entries.map(({ kind }) => kind));

  test('removes what refuses writes before its server, and access after its users', () => {
    expect(stages).toEqual([
      ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'APIService'],
      ['Deployment', 'ConfigMap'],
      ['ClusterRole', 'ServiceAccount'],
      ['ClusterRole'],
    ]);
  });

  test('takes aggregated roles after the roles that they gather', () => {
    expect(removalStages(entries).objects.at(-1)?.entries[0]?.name).toBe('aggregated');
  });

  test('keeps namespaces apart, which only go when nothing foreign is in them', () => {
    expect(removalStages(entries).namespaces).toEqual([entry('v1', 'Namespace')]);
  });
});
