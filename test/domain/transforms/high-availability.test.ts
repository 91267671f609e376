import { describe, expect, test } from 'vitest';

import { recordAt } from '../../../domain/manifests/object.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { transformObject } from '../../../domain/manifests/transform.ts';
import { autoscalerName } from '../../../domain/transforms/autoscaling.ts';
import { highAvailability } from '../../../domain/transforms/high-availability.ts';
import { workloads } from '../../../domain/transforms/workloads.ts';
import { deployment, servingContext, yamlObject } from '../../support/rendering.ts';

function autoscaler(name: string, limits: Record<string, number>): ManifestObject {
  return yamlObject(
    JSON.stringify({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name },
      spec: limits,
    }),
  );
}

const wanted = (replicas: number) => servingContext(`high-availability: {replicas: ${String(replicas)}}`);

describe('highAvailability', () => {
  test.each([
    [2, { minReplicas: 1, maxReplicas: 4 }, { minReplicas: 2, maxReplicas: 5 }],
    [2, { minReplicas: 3, maxReplicas: 5 }, { minReplicas: 3, maxReplicas: 5 }],
    [2, { minReplicas: 2, maxReplicas: 5 }, { minReplicas: 2, maxReplicas: 5 }],
    [6, { minReplicas: 2, maxReplicas: 5 }, { minReplicas: 6, maxReplicas: 9 }],
    [3, { minReplicas: 2, maxReplicas: 2 }, { minReplicas: 3, maxReplicas: 3 }],
    [5, { minReplicas: 1, maxReplicas: 2 }, { minReplicas: 5, maxReplicas: 6 }],
    [3, { maxReplicas: 5 }, { minReplicas: 3, maxReplicas: 8 }],
    [3, { minReplicas: 1 }, { minReplicas: 3 }],
  ])('raises an autoscaler to %i from %o to %o', (replicas, before, after) => {
    expect(highAvailability(autoscaler('activator', before), wanted(replicas))['spec']).toEqual(after);
  });

  test.each(['controller', 'autoscaler'])('sets the replicas of Deployment %s', (name) => {
    expect(recordAt(highAvailability(deployment(name), wanted(2)), 'spec')['replicas']).toBe(2);
  });

  test.each([
    'pingsource-mt-adapter',
    'webhook',
    'activator',
    '3scale-kourier-gateway',
    'eventing-webhook',
    'mt-broker-ingress',
    'mt-broker-filter',
    'kafka-broker-dispatcher',
    'kafka-source-dispatcher',
    'kafka-channel-dispatcher',
  ])('leaves the replicas of Deployment %s to what scales it', (name) => {
    const object = deployment(name);
    expect(highAvailability(object, wanted(2))).toBe(object);
  });

  test('leaves StatefulSets alone', () => {
    const object = yamlObject(
      '{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: request-reply}, spec: {}}',
    );
    expect(highAvailability(object, wanted(2))).toBe(object);
  });

  test('changes nothing when the spec asks for no replicas', () => {
    const object = deployment('controller');
    expect(highAvailability(object, servingContext())).toBe(object);
  });

  test('leaves what an override of that name sets, whatever its kind', () => {
    const context = servingContext(
      '{high-availability: {replicas: 9}, deployments: [{name: activator, replicas: 4}]}',
    );
    const object = autoscaler('activator', { minReplicas: 1, maxReplicas: 20 });
    expect(highAvailability(object, context)).toBe(object);
  });

  test.each([
    ['{}', 1, 20],
    ['{high-availability: {replicas: 10}}', 10, 29],
    ['{workloads: [{name: activator, replicas: 4}]}', 4, 23],
    ['{high-availability: {replicas: 10}, workloads: [{name: activator, replicas: 4}]}', 4, 23],
  ])('with the overrides, %s makes autoscaler activator of 1 to 20 one of %i to %i', (spec, min, max) => {
    const object = autoscaler('activator', { minReplicas: 1, maxReplicas: 20 });
    const changed = transformObject(object, [highAvailability, workloads], servingContext(spec));
    expect(changed['spec']).toEqual({ minReplicas: min, maxReplicas: max });
  });

  test('raises the broker autoscaler although an override for its workload asks for less', () => {
    const spec = '{high-availability: {replicas: 5}, workloads: [{name: mt-broker-ingress, replicas: 2}]}';
    const object = autoscaler('broker-ingress-hpa', { minReplicas: 1, maxReplicas: 10 });
    const changed = transformObject(object, [highAvailability, workloads], servingContext(spec));
    expect(changed['spec']).toEqual({ minReplicas: 5, maxReplicas: 14 });
  });

  test('keeps the high-availability value when an override says nothing about replicas', () => {
    const context = servingContext('{high-availability: {replicas: 10}, workloads: [{name: controller}]}');
    const changed = transformObject(deployment('controller'), [highAvailability, workloads], context);
    expect(recordAt(changed, 'spec')['replicas']).toBe(10);
  });
});

describe('autoscalerName', () => {
  test.each([
    ['mt-broker-ingress', 'broker-ingress-hpa'],
    ['mt-broker-filter', 'broker-filter-hpa'],
    ['activator', 'activator'],
  ])('of %s is %s', (workload, name) => {
    expect(autoscalerName(workload)).toBe(name);
  });
});
