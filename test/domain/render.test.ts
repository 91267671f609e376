import { describe, expect, test } from 'vitest';

import type { ManifestObject } from '../../domain/manifests/object.ts';
import { listAt, recordAt } from '../../domain/manifests/object.ts';
import { podSpecPath } from '../../domain/manifests/pod-template.ts';
import type { RenderInput } from '../../domain/render.ts';
import { maxObjects, renderRelease } from '../../domain/render.ts';
import { eventingContext, frozen, servingContext } from '../support/rendering.ts';
import { smallRelease } from '../support/small-release.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'anchor', uid: 'u' };

function servingInput(spec: string, bundles: Partial<RenderInput['bundles']> = {}): RenderInput {
  return {
    kind: 'KnativeServing',
    spec: servingContext(spec).spec,
    version: '1.23.0',
    installNamespace: 'my-ns',
    owner,
    bundles: { base: smallRelease, plugins: [], additional: [], ...bundles },
  };
}

const configMap = (name: string, data: Record<string, string>, metadata: object = {}): ManifestObject =>
  frozen({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data });

function find(objects: readonly ManifestObject[], kind: string, name: string): ManifestObject | undefined {
  return objects.find((object) => object.kind === kind && object.metadata.name === name);
}

describe('renderRelease', () => {
  test('renders every object into the install namespace, owned and labelled', () => {
    const { objects } = renderRelease(servingInput('{}'));
    expect(find(objects, 'Deployment', 'controller')?.metadata).toEqual({
      name: 'controller',
      namespace: 'my-ns',
      labels: { 'app.kubernetes.io/version': '1.23.0', 'app.kubernetes.io/name': 'knative-serving' },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    });
    expect(find(objects, 'ClusterRole', 'aggregated')?.metadata).toEqual({
      name: 'aggregated',
      labels: { 'app.kubernetes.io/name': 'knative-serving' },
    });
  });

  test('joins the transforms in their order: a name, the high availability, an override, certificates', () => {
    const { objects } = renderRelease(
      servingInput(
        '{high-availability: {replicas: 2}, controller-custom-certs: {type: Secret, name: s}, namespace: {labels: {a: b}}, workloads: [{name: controller, env: [{container: controller, envVars: [{name: Z, value: "1"}]}]}]}',
      ),
    );
    const controller = find(objects, 'Deployment', 'controller');
    expect(recordAt(controller, 'spec')['replicas']).toBe(2);
    const [container] = listAt(controller, ...podSpecPath, 'containers');
    expect(listAt(container, 'env')).toEqual([
      { name: 'POD_NAME', value: 'x' },
      { name: 'Z', value: '1' },
      { name: 'SSL_CERT_DIR', value: '/custom-certs' },
    ]);
    expect(find(objects, 'HorizontalPodAutoscaler', 'activator')?.['spec']).toMatchObject({
      minReplicas: 2,
      maxReplicas: 21,
    });
    expect(find(objects, 'Namespace', 'my-ns')?.metadata).toMatchObject({ labels: { a: 'b' } });
    expect(find(objects, 'Job', 'migrate-serving-1.23.0')).toBeDefined();
  });

  test('merges the same identity, after the namespace is injected, once: the last one wins as a whole', () => {
    const plugin = [
      configMap('config-deployment', { own: 'yes' }, { namespace: 'elsewhere', labels: { from: 'plugin' } }),
    ];
    const { objects } = renderRelease(
      servingInput('{}', { plugins: [{ plugin: 'guard', objects: plugin }] }),
    );
    const merged = objects.filter(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'config-deployment',
    );
    expect(merged.map(({ data }) => data)).toEqual([{ own: 'yes' }]);
    expect(merged[0]?.metadata.labels).toEqual({
      from: 'plugin',
      'app.kubernetes.io/name': 'knative-serving',
    });
  });

  test('lets an additional object replace the one that its manifest names', () => {
    const additional = [configMap('config-deployment', { mine: 'yes' }, { namespace: 'knative-serving' })];
    const { objects } = renderRelease(servingInput('{}', { additional }));
    expect(find(objects, 'ConfigMap', 'config-deployment')?.['data']).toEqual({ mine: 'yes' });
    expect(objects.at(-1)?.metadata.name).toBe('config-deployment');
  });

  test('keeps the Jobs of the release beside an additional Job without a name', () => {
    const job = frozen({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { generateName: 'other-', namespace: 'knative-serving' },
      spec: { template: { spec: { containers: [] } } },
    });
    const names = renderRelease(servingInput('{}', { additional: [job] })).objects.map(
      ({ metadata }) => metadata.name,
    );
    expect(names).toEqual(expect.arrayContaining(['migrate-serving-1.23.0', 'other-serving-1.23.0']));
  });

  test('says which plug-in an object came from, and that of the last one for a shared object', () => {
    const plugins = [
      { plugin: 'istio', objects: [configMap('a', {}), configMap('shared', {})] },
      { plugin: 'kourier', objects: [configMap('shared', {})] },
    ];
    const { origins } = renderRelease(servingInput('{}', { plugins, additional: [configMap('mine', {})] }));
    expect([...origins]).toEqual([
      ['/ConfigMap/my-ns/a', 'istio'],
      ['/ConfigMap/my-ns/shared', 'kourier'],
    ]);
  });

  test('warns about names that match nothing, with the names that would', () => {
    const { warnings } = renderRelease(
      servingInput(
        '{workloads: [{name: nope}, {name: controller, resources: [{container: nope}]}], resources: [{container: nope}], config: {nope: {}, deployment: {}}, services: [{name: nope}], podDisruptionBudgets: [{name: nope}], registry: {override: {nope: a, controller: b, controller/controller: c, POD_NAME: d, queue-proxy: e, migrate-/migrate: f}}}',
      ),
    );
    expect(warnings).toEqual([
      'spec.workloads names "nope", which is no Deployment, StatefulSet or Job (by generateName) of this release and has no effect; known: controller, migrate-, webhook',
      'spec.workloads entry controller names "nope", which is no container of that workload of this release and has no effect; known: controller',
      'spec.resources names "nope", which is no container of a Deployment of this release and has no effect; known: controller, webhook',
      'spec.config names "nope", which is no ConfigMap of this release and has no effect; known: config-deployment',
      'spec.services names "nope", which is no Service of this release and has no effect; known: webhook',
      'spec.podDisruptionBudgets names "nope", which is no PodDisruptionBudget of this release and has no effect; there is none',
      'spec.registry.override names "nope", which is no container, workload/container, image or environment variable of this release and has no effect; known: controller, migrate, queue-proxy, webhook',
    ]);
  });

  test('refuses more objects than one component may have', () => {
    const additional = Array.from({ length: maxObjects }, (_, index) =>
      configMap(`extra-${String(index)}`, {}),
    );
    expect(() => renderRelease(servingInput('{}', { additional }))).toThrow(
      expect.objectContaining({
        kind: 'ManifestInvalid',
        message: expect.stringContaining('more than the 5000'),
      }),
    );
  });

  test('refuses an empty base', () => {
    expect(() => renderRelease(servingInput('{}', { base: [] }))).toThrow(
      'there is no resource available in the target manifests',
    );
  });

  const labelled = (version: string) =>
    configMap('net', {}, { labels: { 'app.kubernetes.io/version': version } });

  test.each(['base', 'additional'] as const)(
    'refuses %s objects labelled with another minor version',
    (part) => {
      for (const label of ['0.17.2', 'v1.22.9', 'devel']) {
        const base = part === 'base' ? [...smallRelease, labelled(label)] : smallRelease;
        const additional = part === 'additional' ? [labelled(label)] : [];
        expect(() => renderRelease(servingInput('{}', { base, additional }))).toThrow(
          expect.objectContaining({
            kind: 'ManifestInvalid',
            message: `the version of the manifests ${label.startsWith('v') ? label : `v${label}`} of the component net does not match the target version of the operator CR v1.23.0`,
          }),
        );
      }
    },
  );

  test('takes plug-ins of any version, objects of another patch, and everything for version latest', () => {
    const plugins = [{ plugin: 'istio', objects: [labelled('0.1.0')] }];
    expect(() =>
      renderRelease(servingInput('{}', { plugins, additional: [labelled('v1.23.7')] })),
    ).not.toThrow();
    const latest = { ...servingInput('{}', { additional: [labelled('0.1.0')] }), version: 'latest' };
    expect(() => renderRelease(latest)).not.toThrow();
  });

  test('gives no namespace and no owner to a kind that a CRD of the release makes cluster-scoped', () => {
    const planets = frozen([
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'planets.example.test' },
        spec: { group: 'example.test', scope: 'Cluster', names: { kind: 'Planet' } },
      },
      { apiVersion: 'example.test/v1', kind: 'Planet', metadata: { name: 'mars' } },
    ]);
    const { objects } = renderRelease(servingInput('{}', { additional: planets }));
    expect(find(objects, 'Planet', 'mars')?.metadata).toEqual({
      name: 'mars',
      labels: { 'app.kubernetes.io/name': 'knative-serving' },
    });
  });

  test('leaves cert-manager objects of Eventing out unless transport encryption is on', () => {
    const certificate = frozen({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: 'a' },
    });
    const input = (spec: string): RenderInput => ({
      ...servingInput('{}'),
      kind: 'KnativeEventing',
      spec: eventingContext(spec).spec,
      bundles: { base: [certificate, configMap('config-features', {})], plugins: [], additional: [] },
    });
    const kinds = (spec: string) => renderRelease(input(spec)).objects.map(({ kind }) => kind);
    expect(kinds('{}')).toEqual(['ConfigMap']);
    expect(kinds('config: {features: {transport-encryption: strict}}')).toEqual(['Certificate', 'ConfigMap']);
  });
});
