import { describe, expect, test } from 'vitest';

import { listAt, recordAt } from '../../../domain/manifests/object.ts';
import { podSpecPath, podTemplatePath } from '../../../domain/manifests/pod-template.ts';
import { configMaps } from '../../../domain/transforms/config-maps.ts';
import { deprecatedResources } from '../../../domain/transforms/deprecated-resources.ts';
import { jobs } from '../../../domain/transforms/jobs.ts';
import { minimumVersion } from '../../../domain/transforms/minimum-version.ts';
import { nameLabel } from '../../../domain/transforms/name-label.ts';
import { namespaceConfiguration } from '../../../domain/transforms/namespace-configuration.ts';
import { owner } from '../../../domain/transforms/owner.ts';
import { podDisruptionBudgets } from '../../../domain/transforms/pod-disruption-budgets.ts';
import { services } from '../../../domain/transforms/services.ts';
import { deployment, eventingContext, servingContext, yamlObject } from '../../support/rendering.ts';

describe('namespaceConfiguration', () => {
  const namespace = yamlObject(
    '{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {x: "1", y: "1"}}}',
  );

  test('merges labels and annotations into a Namespace, the spec winning', () => {
    const context = servingContext('namespace: {labels: {y: "2"}, annotations: {n: "3"}}');
    expect(namespaceConfiguration(namespace, context).metadata).toEqual({
      name: 'a',
      labels: { x: '1', y: '2' },
      annotations: { n: '3' },
    });
  });

  test('changes nothing when the spec has no namespace part', () => {
    expect(namespaceConfiguration(namespace, servingContext())).toBe(namespace);
  });
});

describe('jobs', () => {
  const job = (metadata: string, template = '{}') =>
    yamlObject(`{apiVersion: batch/v1, kind: Job, metadata: ${metadata}, spec: {template: ${template}}}`);
  const serving = servingContext('{}', { version: '1.23.0' });
  const eventing = eventingContext('{}', { version: '1.23.0' });

  test.each([
    [
      serving,
      '{generateName: storage-version-migration-serving-}',
      'storage-version-migration-serving-serving-1.23.0',
    ],
    [eventing, '{name: kafka-controller-post-install}', 'kafka-controller-post-install-eventing-1.23.0'],
  ])('names a Job by component and version', (context, metadata, name) => {
    expect(jobs(job(metadata), context).metadata.name).toBe(name);
  });

  test('keeps generateName', () => {
    expect(jobs(job('{generateName: a-}'), serving).metadata.generateName).toBe('a-');
  });

  test.each([
    ['{}', 'false'],
    ['{metadata: {labels: {sidecar.istio.io/inject: ""}}}', 'false'],
    ['{metadata: {labels: {sidecar.istio.io/inject: "true"}}}', 'true'],
  ])('keeps the sidecar out of the pods of template %s unless it says otherwise', (template, label) => {
    const changed = jobs(job('{name: a}', template), serving);
    expect(recordAt(changed, ...podTemplatePath, 'metadata', 'labels')['sidecar.istio.io/inject']).toBe(
      label,
    );
  });
});

describe('configMaps', () => {
  const map = (name: string, data = 'data: {a: "1", _example: text}') =>
    yamlObject(`{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, ${data}}`);

  test.each(['logging', 'config-logging'])('sets the keys that spec.config.%s names and no others', (key) => {
    const changed = configMaps(map('config-logging'), servingContext(`config: {${key}: {b: "2"}}`));
    expect(changed['data']).toEqual({ a: '1', _example: 'text', b: '2' });
  });

  test('takes the full name alone when both are there', () => {
    const context = servingContext('config: {logging: {x: "1"}, config-logging: {y: "2"}}');
    expect(configMaps(map('config-logging', 'data: {}'), context)['data']).toEqual({ y: '2' });
  });

  test('gives data to a ConfigMap without any', () => {
    const bare = yamlObject('{apiVersion: v1, kind: ConfigMap, metadata: {name: config-logging}}');
    expect(configMaps(bare, servingContext('config: {logging: {b: "2"}}'))['data']).toEqual({ b: '2' });
  });

  test('does not cut seven characters that are not config-', () => {
    const context = servingContext('config: {onfig-logging: {b: "2"}, "": {c: "3"}}');
    for (const name of ['kafka-config-logging', 'exactly', 'ab']) {
      const object = map(name);
      expect(configMaps(object, context)).toBe(object);
    }
  });

  test('reaches a ConfigMap with a short name by that name', () => {
    expect(configMaps(map('ab', 'data: {}'), servingContext('config: {ab: {c: "3"}}'))['data']).toEqual({
      c: '3',
    });
  });
});

describe('minimumVersion', () => {
  const workload = (kind: string) =>
    yamlObject(`
apiVersion: apps/v1
kind: ${kind}
metadata: {name: a}
spec: {template: {spec: {initContainers: [{name: i}], containers: [{name: c, env: [{name: KUBERNETES_MIN_VERSION, value: old}, {name: A, value: "1"}]}]}}}`);

  test.each(['Deployment', 'StatefulSet', 'DaemonSet', 'Job'])(
    'reaches every container of a %s once',
    (kind) => {
      const changed = minimumVersion(
        workload(kind),
        servingContext('{}', { kubernetesMinVersion: 'v1.25.0' }),
      );
      const variable = { name: 'KUBERNETES_MIN_VERSION', value: 'v1.25.0' };
      expect(recordAt(changed, ...podSpecPath)).toEqual({
        initContainers: [{ name: 'i', env: [variable] }],
        containers: [{ name: 'c', env: [variable, { name: 'A', value: '1' }] }],
      });
    },
  );

  test('changes nothing when it is not set', () => {
    const object = workload('Deployment');
    expect(minimumVersion(object, servingContext())).toBe(object);
  });

  test('leaves other kinds alone', () => {
    const object = yamlObject(
      '{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}]}}',
    );
    expect(minimumVersion(object, servingContext('{}', { kubernetesMinVersion: 'v1.25.0' }))).toBe(object);
  });
});

describe('deprecatedResources', () => {
  const pods = 'containers: [{name: controller, resources: {requests: {cpu: 100m}}}]';
  const resources = (name: string, spec: string) => {
    const changed = deprecatedResources(deployment(name, pods), servingContext(spec));
    return recordAt(listAt(changed, ...podSpecPath, 'containers')[0])['resources'];
  };

  test.each(['controller', 'net-istio-controller'])('merges into the container of Deployment %s', (name) => {
    expect(resources(name, 'resources: [{container: controller, limits: {cpu: 1}}]')).toEqual({
      requests: { cpu: '100m' },
      limits: { cpu: 1 },
    });
  });

  test('yields to an override with resources for that Deployment only', () => {
    const spec =
      '{resources: [{container: controller, limits: {cpu: 1}}], workloads: [{name: controller, resources: [{container: other}]}]}';
    expect(resources('controller', spec)).toEqual({ requests: { cpu: '100m' } });
    expect(resources('net-istio-controller', spec)).toHaveProperty('limits', { cpu: 1 });
  });

  test('leaves StatefulSets alone', () => {
    const set = yamlObject(
      '{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {containers: [{name: controller}]}}}}',
    );
    expect(
      deprecatedResources(set, servingContext('resources: [{container: controller, limits: {cpu: 1}}]')),
    ).toBe(set);
  });
});

describe('services', () => {
  const service = yamlObject(
    '{apiVersion: v1, kind: Service, metadata: {name: controller, labels: {a: "1"}}, spec: {selector: {app: c, x: "1"}}}',
  );

  test('merges labels, annotations and selector key by key', () => {
    const spec =
      'services: [{name: controller, labels: {b: "2"}, annotations: {n: "3"}, selector: {x: "2"}}]';
    const changed = services(service, servingContext(spec));
    expect(changed.metadata).toMatchObject({ labels: { a: '1', b: '2' }, annotations: { n: '3' } });
    expect(changed['spec']).toEqual({ selector: { app: 'c', x: '2' } });
  });

  test('leaves Services that no entry names', () => {
    expect(services(service, servingContext('services: [{name: other, labels: {b: "2"}}]'))).toBe(service);
  });
});

describe('podDisruptionBudgets', () => {
  const budget = yamlObject(
    '{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: webhook-pdb}, spec: {minAvailable: "80%", selector: {}}}',
  );
  const changed = (entries: string) =>
    podDisruptionBudgets(budget, servingContext(`podDisruptionBudgets: [${entries}]`))['spec'];

  test.each([
    ['{name: webhook-pdb, minAvailable: 1}', { minAvailable: 1, selector: {} }],
    ['{name: webhook-pdb, maxUnavailable: "25%"}', { maxUnavailable: '25%', selector: {} }],
    ['{name: webhook-pdb, minAvailable: 0}', { minAvailable: 0, selector: {} }],
    ['{name: webhook-pdb, selector: {matchLabels: {a: b}}}', { minAvailable: '80%', selector: {} }],
    ['{name: webhook-pdb}, {name: webhook-pdb, minAvailable: 2}', { minAvailable: 2, selector: {} }],
    ['{name: other, minAvailable: 2}', { minAvailable: '80%', selector: {} }],
  ])('makes of entries %s %o', (entries, spec) => {
    expect(changed(entries)).toEqual(spec);
  });

  test('refuses both values at once', () => {
    expect(() => changed('{name: webhook-pdb, minAvailable: 1, maxUnavailable: 1}')).toThrow(
      expect.objectContaining({
        kind: 'SpecInvalid',
        message: 'both minAvailable and maxUnavailable are set for PodDisruptionBudget webhook-pdb',
      }),
    );
  });
});

describe('owner', () => {
  test('replaces every owner of a namespaced object by the one', () => {
    const object = yamlObject(
      '{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: n, ownerReferences: [{name: x}, {name: y}]}}',
    );
    expect(owner(object, servingContext()).metadata.ownerReferences).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'anchor',
        uid: 'anchor-uid',
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });

  test('gives a cluster-scoped object none', () => {
    const object = yamlObject(
      '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: a}}',
    );
    expect(owner(object, servingContext())).toBe(object);
  });
});

describe('nameLabel', () => {
  test.each([
    [servingContext(), 'knative-serving'],
    [eventingContext(), 'knative-eventing'],
  ])('replaces the name label and leaves pods alone', (context, name) => {
    const object = yamlObject(
      '{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, labels: {app.kubernetes.io/name: other}}, spec: {template: {metadata: {labels: {}}}}}',
    );
    const changed = nameLabel(object, context);
    expect(changed.metadata.labels).toEqual({ 'app.kubernetes.io/name': name });
    expect(changed['spec']).toBe(object['spec']);
  });
});
