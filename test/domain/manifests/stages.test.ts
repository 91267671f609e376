import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { groupByStage, stageNames, stageOf } from '../../../domain/manifests/stages.ts';

function objectOf(apiVersion: string, kind: string, name = 'a'): ManifestObject {
  return { apiVersion, kind, metadata: { name } };
}

describe('stageOf', () => {
  test.each([
    ['v1', 'Namespace', 'namespaces'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'foundations'],
    ['v1', 'ServiceAccount', 'foundations'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'foundations'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'foundations'],
    ['rbac.authorization.k8s.io/v1', 'Role', 'foundations'],
    ['rbac.authorization.k8s.io/v1', 'RoleBinding', 'foundations'],
    ['v1', 'ConfigMap', 'foundations'],
    ['v1', 'Secret', 'foundations'],
    ['apps/v1', 'Deployment', 'workloads'],
    ['apps/v1', 'StatefulSet', 'workloads'],
    ['v1', 'Service', 'workloads'],
    ['batch/v1', 'Job', 'workloads'],
    ['autoscaling/v2', 'HorizontalPodAutoscaler', 'workloads'],
    ['policy/v1', 'PodDisruptionBudget', 'workloads'],
    ['caching.internal.knative.dev/v1alpha1', 'Image', 'workloads'],
    ['networking.istio.io/v1beta1', 'Gateway', 'workloads'],
    ['example.com/v1', 'constructor', 'workloads'],
    ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'webhooks'],
    ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'webhooks'],
    ['networking.internal.knative.dev/v1alpha1', 'Certificate', 'dependents'],
    ['cert-manager.io/v1', 'Certificate', 'workloads'],
  ])('puts %s %s into %s', (apiVersion, kind, stage) => {
    expect(stageOf(objectOf(apiVersion, kind))).toBe(stage);
  });
});

describe('groupByStage', () => {
  test('orders the stages, leaves out empty ones and keeps the order of the manifest inside', () => {
    const objects = [
      objectOf('networking.internal.knative.dev/v1alpha1', 'Certificate'),
      objectOf('apps/v1', 'Deployment', 'b'),
      objectOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
      objectOf('v1', 'Service', 'c'),
      objectOf('v1', 'Namespace'),
      objectOf('apps/v1', 'Deployment', 'a'),
    ];
    const stages = groupByStage(objects).map(({ name, objects: members }) => [
      name,
      members.map((object) => object.metadata.name),
    ]);
    expect(stages).toEqual([
      ['namespaces', ['a']],
      ['foundations', ['a']],
      ['workloads', ['b', 'c', 'a']],
      ['dependents', ['a']],
    ]);
  });

  test('asks to wait for the CRDs and for nothing else', () => {
    const objects = [
      objectOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
      objectOf('v1', 'Namespace'),
      objectOf('apps/v1', 'Deployment'),
    ];
    expect(groupByStage(objects).map(({ name, waitFor }) => [name, waitFor])).toEqual([
      ['namespaces', undefined],
      ['foundations', 'crds-established'],
      ['workloads', undefined],
    ]);
  });

  test('loses and repeats no object', () => {
    const kinds = [
      'Namespace',
      'CustomResourceDefinition',
      'Role',
      'Secret',
      'Job',
      'APIService',
      'Certificate',
      'Odd',
    ];
    const anyObject = fc
      .tuple(
        fc.constantFrom('v1', 'a.dev/v1', 'networking.internal.knative.dev/v1'),
        fc.constantFrom(...kinds),
      )
      .map(([apiVersion, kind]) => objectOf(apiVersion, kind));
    fc.assert(
      fc.property(fc.array(anyObject), (objects) => {
        const staged = groupByStage(objects);
        const members = staged.flatMap((stage) => stage.objects);
        expect(new Set(members)).toEqual(new Set(objects));
        expect(members).toHaveLength(objects.length);
        const order = staged.map(({ name }) => stageNames.indexOf(name));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
    );
  });
});
