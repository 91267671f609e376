import { describe, expect, test } from 'vitest';

import {
  starterNamespaceRules,
  starterRules,
  workerNamespaceRules,
  workerRules,
} from '../../../domain/rights/hub-rules.ts';
import { namespaceRemovalRules } from '../../../domain/rights/namespace-removal-rules.ts';
import type { PolicyRule } from '../../../domain/rights/policy-rule.ts';
import { claimRules, spokeRules } from '../../../domain/rights/spoke-rules.ts';
import { yamlObject } from '../../support/rendering.ts';

const objects = [
  yamlObject(`{apiVersion: v1, kind: Namespace, metadata: {name: knative-serving}}`),
  yamlObject(`{apiVersion: v1, kind: Secret, metadata: {name: certs, namespace: knative-serving}}`),
  yamlObject(
    `{apiVersion: apps/v1, kind: Deployment, metadata: {name: controller, namespace: knative-serving}}`,
  ),
  yamlObject(
    `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: admin}, rules: []}`,
  ),
  yamlObject(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: delegator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: 'system:auth-delegator'}
`),
  yamlObject(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: mice.serving.knative.dev}
spec:
  group: serving.knative.dev
  scope: Namespaced
  names: {kind: Mouse, plural: mice}
  versions: [{name: v1}]
`),
  yamlObject(
    `{apiVersion: serving.knative.dev/v1, kind: Mouse, metadata: {name: one, namespace: knative-serving}}`,
  ),
];
const input = { objects, installNamespaces: ['knative-serving', 'elsewhere'] };
const everything: readonly PolicyRule[] = [
  ...spokeRules(input),
  ...claimRules(),
  ...namespaceRemovalRules(objects),
  ...workerRules,
  ...workerNamespaceRules,
  ...starterRules,
  ...starterNamespaceRules,
];

/** The names for which a verb is granted on a resource; `any` where it is granted without names. */
function namesFor(resource: string, verb: string): readonly string[] {
  return spokeRules(input)
    .filter((rule) => rule.resources.includes(resource) && rule.verbs.includes(verb))
    .flatMap((rule) => rule.resourceNames ?? ['any']);
}

describe('the rules for a spoke and the hub', () => {
  test('hold no wildcard anywhere', () => {
    const words = everything.flatMap((rule) => [...rule.apiGroups, ...rule.resources, ...rule.verbs]);
    expect(words.filter((word) => word.includes('*'))).toEqual([]);
  });

  test('name every role that may be written, escalated or bound', () => {
    const writing = everything.filter(
      ({ apiGroups, verbs }) =>
        apiGroups.includes('rbac.authorization.k8s.io') &&
        verbs.some((verb) => !['list', 'watch'].includes(verb)),
    );
    expect(writing.length).toBeGreaterThan(0);
    expect(writing.filter(({ resourceNames = [] }) => resourceNames.length === 0)).toEqual([]);
    expect(namesFor('clusterroles', 'escalate')).toEqual(['admin']);
    expect(namesFor('clusterroles', 'bind')).toEqual(['system:auth-delegator']);
  });

  test('let Secrets be written by name, and never be listed without the optional role', () => {
    expect(namesFor('secrets', 'patch')).toEqual(['certs']);
    expect(namesFor('secrets', 'list')).toEqual([]);
    expect(namesFor('secrets', 'watch')).toEqual([]);
  });

  test('let only install namespaces and those of the releases be changed', () => {
    expect(namesFor('namespaces', 'delete')).toEqual(['elsewhere', 'knative-serving']);
    expect(namesFor('namespaces', 'create')).toEqual(['any']);
  });

  test('never let a CustomResourceDefinition be deleted', () => {
    expect(namesFor('customresourcedefinitions', 'delete')).toEqual([]);
    expect(namesFor('customresourcedefinitions', 'patch')).toEqual(['mice.serving.knative.dev']);
  });

  test('take the plural of a kind from the CustomResourceDefinition in the release', () => {
    expect(namesFor('mice', 'patch')).toEqual(['one']);
  });

  test('refuse a kind whose plural nobody knows', () => {
    const goose = yamlObject(`{apiVersion: example.com/v1, kind: Goose, metadata: {name: one}}`);
    expect(() => spokeRules({ ...input, objects: [goose] })).toThrow(
      /the plural of Goose of example.com\/v1/,
    );
  });
});
