import { describe, expect, test } from 'vitest';

import { listAt, recordAt } from '../../../domain/manifests/object.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { podSpecPath } from '../../../domain/manifests/pod-template.ts';
import { workloads } from '../../../domain/transforms/workloads.ts';
import { deployment, servingContext, yamlObject } from '../../support/rendering.ts';

const controller = yamlObject(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, labels: {kept: a}, annotations: {kept: a}}
spec:
  selector: {matchLabels: {app: controller}}
  template:
    metadata: {labels: {app: controller}}
    spec:
      nodeSelector: {old: x}
      tolerations: [{key: old}]
      containers:
      - name: controller
        resources: {requests: {cpu: 100m, memory: 1Gi}}
        env: [{name: A, value: "1"}, {name: B, valueFrom: {fieldRef: {fieldPath: x}}}]
        readinessProbe: {httpGet: {port: 1}, periodSeconds: 3, failureThreshold: 4}
        livenessProbe: {httpGet: {port: 2}}`);

function override(entry: string, object: ManifestObject = controller): ManifestObject {
  return workloads(object, servingContext(`workloads: [${entry}]`));
}

function podSpec(object: ManifestObject) {
  return recordAt(object, ...podSpecPath);
}

function container(object: ManifestObject) {
  return recordAt(listAt(podSpec(object), 'containers')[0]);
}

describe('workloads', () => {
  test('adds labels and annotations to workload and pods but not to the selector', () => {
    const changed = override('{name: controller, labels: {l: "1"}, annotations: {n: "2"}}');
    expect(changed.metadata).toMatchObject({
      labels: { kept: 'a', l: '1' },
      annotations: { kept: 'a', n: '2' },
    });
    expect(recordAt(changed, 'spec', 'template', 'metadata')).toEqual({
      labels: { app: 'controller', l: '1' },
      annotations: { n: '2' },
    });
    expect(recordAt(changed, 'spec', 'selector')).toEqual({ matchLabels: { app: 'controller' } });
  });

  test('replaces the scheduling fields', () => {
    const changed = override(
      '{name: controller, nodeSelector: {disk: ssd}, tolerations: [{key: new}], topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}], affinity: {nodeAffinity: {}}}',
    );
    expect(podSpec(changed)).toMatchObject({
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'new' }],
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
      affinity: { nodeAffinity: {} },
    });
  });

  test('keeps scheduling fields for which the override is empty', () => {
    const changed = override('{name: controller, nodeSelector: {}, tolerations: []}');
    expect(podSpec(changed)).toMatchObject({ nodeSelector: { old: 'x' }, tolerations: [{ key: 'old' }] });
  });

  test('merges resources by name and takes the first of two entries for one container', () => {
    const changed = override(
      '{name: controller, resources: [{container: controller, limits: {cpu: 2}, requests: {cpu: 500m}}, {container: controller, limits: {cpu: 9}}]}',
    );
    expect(container(changed)['resources']).toEqual({
      limits: { cpu: 2 },
      requests: { cpu: '500m', memory: '1Gi' },
    });
  });

  test.each([
    [
      'replaces an existing variable in its place',
      '[{name: A, value: "9"}]',
      [{ name: 'A', value: '9' }, 'B'],
    ],
    ['replaces valueFrom as well', '[{name: B, value: "9"}]', ['A', { name: 'B', value: '9' }]],
    ['appends a new variable', '[{name: C, value: "3"}]', ['A', 'B', { name: 'C', value: '3' }]],
    [
      'lets the last of two equal new ones win',
      '[{name: C, value: "3"}, {name: C, value: "4"}]',
      ['A', 'B', { name: 'C', value: '4' }],
    ],
  ])('%s', (_title, variables, expected) => {
    const changed = override(`{name: controller, env: [{container: controller, envVars: ${variables}}]}`);
    const old: Record<string, unknown> = {
      A: { name: 'A', value: '1' },
      B: { name: 'B', valueFrom: { fieldRef: { fieldPath: 'x' } } },
    };
    expect(container(changed)['env']).toEqual(
      expected.map((item) => (typeof item === 'string' ? old[item] : item)),
    );
  });

  test('gives a container without environment each variable once, because a list with two of a name is refused', () => {
    const changed = override(
      '{name: plain, env: [{container: plain, envVars: [{name: C, value: "1"}, {name: C, value: "2"}]}]}',
      deployment('plain'),
    );
    expect(container(changed)['env']).toEqual([{ name: 'C', value: '2' }]);
  });

  test('ignores environment for a container that is not there', () => {
    expect(override('{name: controller, env: [{container: other, envVars: [{name: C}]}]}')).toEqual(
      controller,
    );
  });

  test('merges probe numbers, keeping the old ones where the override has 0', () => {
    const changed = override(
      '{name: controller, readinessProbes: [{container: controller, periodSeconds: 7, failureThreshold: 0, terminationGracePeriodSeconds: 5}]}',
    );
    expect(container(changed)['readinessProbe']).toEqual({
      httpGet: { port: 1 },
      periodSeconds: 7,
      failureThreshold: 4,
      terminationGracePeriodSeconds: 5,
    });
  });

  test('removes the probe for an override without numbers and keeps the other probe', () => {
    const changed = override(
      '{name: controller, readinessProbes: [{container: controller, periodSeconds: 0}]}',
    );
    expect(container(changed)).not.toHaveProperty('readinessProbe');
    expect(container(changed)['livenessProbe']).toEqual({ httpGet: { port: 2 } });
  });

  test('refuses probe numbers for a container without that probe, which no API server would take', () => {
    expect(() =>
      override('{name: plain, livenessProbes: [{container: plain, periodSeconds: 1}]}', deployment('plain')),
    ).toThrow(
      expect.objectContaining({
        kind: 'SpecInvalid',
        message: expect.stringContaining('livenessProbe of container plain'),
      }),
    );
  });

  test('changes the DNS policy with the host network and only then', () => {
    expect(podSpec(override('{name: controller, hostNetwork: true}'))).toMatchObject({
      hostNetwork: true,
      dnsPolicy: 'ClusterFirstWithHostNet',
    });
    const off = podSpec(override('{name: controller, hostNetwork: false}'));
    expect(off['hostNetwork']).toBe(false);
    expect(off).not.toHaveProperty('dnsPolicy');
  });

  test('sets replicas, but not those of an autoscaled workload', () => {
    expect(recordAt(override('{name: controller, replicas: 5}'), 'spec')['replicas']).toBe(5);
    expect(
      recordAt(override('{name: webhook, replicas: 5}', deployment('webhook')), 'spec'),
    ).not.toHaveProperty('replicas');
  });

  test('applies deployments before workloads, so that workloads wins', () => {
    const context = servingContext(
      '{workloads: [{name: controller, replicas: 3, labels: {y: "2"}}], deployments: [{name: controller, replicas: 5, labels: {x: "1", y: "1"}}]}',
    );
    const changed = workloads(controller, context);
    expect(recordAt(changed, 'spec')['replicas']).toBe(3);
    expect(changed.metadata.labels).toEqual({ kept: 'a', x: '1', y: '2' });
  });

  test('reaches a StatefulSet by name', () => {
    const set = yamlObject(
      '{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: kafka-source-dispatcher}, spec: {template: {spec: {containers: [{name: d}]}}}}',
    );
    const changed = override(
      '{name: kafka-source-dispatcher, resources: [{container: d, limits: {cpu: 1}}]}',
      set,
    );
    expect(container(changed)['resources']).toEqual({ limits: { cpu: 1 } });
  });

  test('reaches a Job by generateName and never by name', () => {
    const job = (metadata: string) =>
      yamlObject(
        `{apiVersion: batch/v1, kind: Job, metadata: ${metadata}, spec: {template: {spec: {containers: [{name: m}]}}}}`,
      );
    const entry = '{name: migrate-, replicas: 3, nodeSelector: {a: b}, tolerations: [{operator: Exists}]}';
    const changed = override(entry, job('{generateName: migrate-, name: migrate-serving-1}'));
    expect(podSpec(changed)).toMatchObject({
      nodeSelector: { a: 'b' },
      tolerations: [{ operator: 'Exists' }],
    });
    expect(recordAt(changed, 'spec')).not.toHaveProperty('replicas');
    const named = job('{name: migrate-}');
    expect(override(entry, named)).toBe(named);
  });

  test('never reaches a DaemonSet', () => {
    const set = yamlObject(
      '{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: controller}, spec: {template: {spec: {containers: []}}}}',
    );
    expect(override('{name: controller, labels: {a: b}}', set)).toBe(set);
  });

  test('raises the autoscaler of a workload and never lowers it', () => {
    const scaler = yamlObject(
      '{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: broker-filter-hpa}, spec: {minReplicas: 4, maxReplicas: 10}}',
    );
    expect(override('{name: mt-broker-filter, replicas: 6}', scaler)['spec']).toEqual({
      minReplicas: 6,
      maxReplicas: 12,
    });
    expect(override('{name: mt-broker-filter, replicas: 1}', scaler)).toBe(scaler);
  });
});
