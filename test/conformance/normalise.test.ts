import { describe, expect, test } from 'vitest';

import { yamlObject } from '../support/rendering.ts';
import { normalise } from './normalise.ts';

describe('normalise', () => {
  test('keeps what people and releases write and drops what a server or one run writes', () => {
    const object = yamlObject(`
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  namespace: ns
  uid: x
  resourceVersion: "1"
  generation: 2
  creationTimestamp: "2026-01-01T00:00:00Z"
  managedFields: []
  labels: {a: b}
  annotations: {manifestival: new, fleet.knative.dev/owner: x, mine: y}
  finalizers: [keep.me/here]
data: {uid: kept}
status: {phase: x}`);
    expect(normalise(object)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        namespace: 'ns',
        labels: { a: 'b' },
        annotations: { mine: 'y' },
        finalizers: ['keep.me/here'],
      },
      data: { uid: 'kept' },
    });
  });

  test('takes an annotation map that becomes empty for absent', () => {
    const object = yamlObject(
      '{apiVersion: v1, kind: Secret, metadata: {name: a, annotations: {manifestival: new}}}',
    );
    expect(normalise(object)['metadata']).toEqual({ name: 'a' });
  });

  test('compares owners as a set and without UIDs', () => {
    const owned = (owners: string) =>
      normalise(
        yamlObject(`{apiVersion: v1, kind: Secret, metadata: {name: a, ownerReferences: [${owners}]}}`),
      );
    const one = '{apiVersion: v1, kind: ConfigMap, name: b, uid: x}';
    const two = '{kind: ConfigMap, name: c, uid: y, apiVersion: v1}';
    expect(owned(`${one}, ${two}`)).toEqual(owned(`${two.replace('y', 'z')}, ${one}`));
    expect(owned(one)).not.toEqual(owned(two));
  });

  test.each([
    ['ClusterIP', [{ port: 80, nodePort: 3 }]],
    ['LoadBalancer', [{ port: 80 }]],
  ])(
    'drops the addresses of a Service of type %s, and node ports where the server picks them',
    (type, ports) => {
      const service = yamlObject(`
apiVersion: v1
kind: Service
metadata: {name: a}
spec: {type: ${type}, clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1], healthCheckNodePort: 4, ports: [{port: 80, nodePort: 3}]}`);
      expect(normalise(service)['spec']).toEqual({ type, ports });
    },
  );

  test('drops the generated selector and labels of a Job', () => {
    const job = yamlObject(`
apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  backoffLimit: 1
  selector: {matchLabels: {controller-uid: x}}
  template:
    metadata: {labels: {controller-uid: x, batch.kubernetes.io/job-name: a, kept: "yes"}}
    spec: {restartPolicy: Never}`);
    expect(normalise(job)['spec']).toEqual({
      backoffLimit: 1,
      template: { metadata: { labels: { kept: 'yes' } }, spec: { restartPolicy: 'Never' } },
    });
  });

  test('drops the conversion of a CRD only where it is the default', () => {
    const crd = (conversion: string) =>
      normalise(
        yamlObject(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: a}
spec: {group: b, conversion: ${conversion}}`),
      )['spec'];
    expect(crd('{strategy: None}')).toEqual({ group: 'b' });
    expect(crd('{strategy: Webhook}')).toEqual({ group: 'b', conversion: { strategy: 'Webhook' } });
  });
});
