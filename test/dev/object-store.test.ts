import { describe, expect, test } from 'vitest';

import { createObjectStore } from '../../dev/simulated-spokes/object-store.ts';
import { readinessOf } from '../../domain/manifests/readiness.ts';

const body = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'one', namespace: 'a' },
  spec: { replicas: 2 },
};
const path = '/apis/apps/v1/namespaces/a/deployments/one';

describe('createObjectStore', () => {
  test('makes workloads ready at once and leaves what is applied again unchanged', () => {
    const store = createObjectStore();
    const first = store.apply(path, body, 'test');
    expect(first.created).toBe(true);
    expect(readinessOf(first.object)).toMatchObject({ ready: true });
    const again = store.apply(path, { ...body }, 'test');
    expect(again).toEqual({ object: first.object, created: false });
    const changed = store.apply(path, { ...body, spec: { replicas: 3 } }, 'test');
    expect(changed.object.metadata.uid).toBe(first.object.metadata.uid);
    expect(changed.object.metadata.resourceVersion).not.toBe(first.object.metadata.resourceVersion);
    expect(readinessOf(changed.object)).toMatchObject({ ready: true });
  });

  test('lists by namespace and over all of them, and tells every change', () => {
    const store = createObjectStore();
    const changes: string[] = [];
    const stop = store.onChange(({ type }) => changes.push(type));
    store.apply(path, body, 'test');
    expect(store.list('/apis/apps/v1/deployments')).toHaveLength(1);
    expect(store.list('/apis/apps/v1/namespaces/a/deployments')).toHaveLength(1);
    expect(store.list('/apis/apps/v1/namespaces/b/deployments')).toEqual([]);
    store.remove(path);
    expect(store.list('/apis/apps/v1/deployments')).toEqual([]);
    stop();
    store.apply(path, body, 'test');
    expect(changes).toEqual(['ADDED', 'DELETED']);
  });
});
