import { describe, expect, test } from 'vitest';

import { collectionPath, creationPath, objectPath } from '../../../adapters/kubernetes/resource-path.ts';

const about = { verbs: [], preferred: true };
const configMaps = { ...about, apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const roles = {
  ...about,
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};

describe('objectPath', () => {
  test('keeps upper case and escapes what a path cannot hold', () => {
    expect(objectPath(roles, { name: 'system:Admin/x', namespace: 'ignored' })).toBe(
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3AAdmin%2Fx',
    );
    expect(objectPath(configMaps, { name: 'a', namespace: 'b', subresource: 'status' })).toBe(
      '/api/v1/namespaces/b/configmaps/a/status',
    );
  });

  test.each([
    ['no name', configMaps, { name: '', namespace: 'b' }],
    ['a name that a proxy resolves', configMaps, { name: '..', namespace: 'b' }],
    ['a namespace that a proxy resolves', configMaps, { name: 'a', namespace: '..' }],
    ['no namespace', configMaps, { name: 'a' }],
    ['an empty namespace', configMaps, { name: 'a', namespace: '' }],
  ])('never names a whole collection: refuses %s', (_, resource, location) => {
    expect(() => objectPath(resource, location)).toThrow(/ConfigMap/);
  });
});

describe('creationPath', () => {
  test('needs a namespace where the kind has one', () => {
    expect(creationPath(configMaps, 'b', undefined)).toBe('/api/v1/namespaces/b/configmaps');
    expect(() => creationPath(configMaps, undefined, 'a')).toThrow(/add metadata\.namespace/);
  });
});

describe('collectionPath', () => {
  test('means all namespaces without one', () => {
    expect(collectionPath(configMaps, undefined)).toBe('/api/v1/configmaps');
    expect(collectionPath(configMaps, 'b')).toBe('/api/v1/namespaces/b/configmaps');
  });
});
