import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { groupByStage, stageNames, stageOf } from '../../../domain/manifests/stages.ts';

function objectOf(apiVersion: string, kind: string, name = 'a'): ManifestObject {
  return { apiVersion, kind, metadata: { name } };
}

const definition: ManifestObject = {
  ...objectOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com'),
  spec: { group: 'example.com', names: { kind: 'Widget' }, versions: [{ name: 'v1', served: true }] },
};

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

  test('lets only what comes after the workloads wait for the CRDs', () => {
    const objects = [
      definition,
      objectOf('example.com/v1', 'Widget'),
      objectOf('v1', 'Namespace'),
      objectOf('apps/v1', 'Deployment'),
      objectOf('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'),
    ];
    const stages = groupByStage(objects).map(({ name, definitions, afterDefinitions }) => [
      name,
      definitions.length,
      afterDefinitions,
    ]);
    expect(stages).toEqual([
      ['namespaces', 0, false],
      ['foundations', 1, false],
      ['workloads', 0, false],
      ['custom objects', 0, true],
      ['webhooks', 0, true],
    ]);
  });

  test('takes objects of a kind that the set defines as custom objects, and of one that it does not as workloads', () => {
    const objects = [
      objectOf('example.com/v1', 'Widget', 'own'),
      objectOf('example.org/v1', 'Widget', 'foreign'),
    ];
    const stages = groupByStage([...objects, definition]).map(({ name, objects: members }) => [
      name,
      members.map(({ metadata }) => metadata.name),
    ]);
    expect(stages).toEqual([
      ['foundations', ['widgets.example.com']],
      ['workloads', ['foreign']],
      ['custom objects', ['own']],
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
