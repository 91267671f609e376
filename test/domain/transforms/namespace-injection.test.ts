import { describe, expect, test } from 'vitest';

import { listAt, recordAt } from '../../../domain/manifests/object.ts';
import { namespaceInjection } from '../../../domain/transforms/namespace-injection.ts';
import { servingContext, yamlObject } from '../../support/rendering.ts';

const inject = (text: string) => namespaceInjection(yamlObject(text), servingContext());

describe('namespaceInjection', () => {
  test('moves a namespaced object whatever namespace it names', () => {
    const moved = inject(
      '{apiVersion: v1, kind: Service, metadata: {name: kourier, namespace: kourier-system}}',
    );
    expect(moved.metadata).toEqual({ name: 'kourier', namespace: 'test-ns' });
  });

  test('gives a namespaced object without a namespace one', () => {
    expect(inject('{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}').metadata.namespace).toBe(
      'test-ns',
    );
  });

  test('renames every Namespace and never puts it into one, which would give it an owner', () => {
    const moved = inject(
      '{apiVersion: v1, kind: Namespace, metadata: {name: knative-sources, namespace: x}}',
    );
    expect(moved.metadata).toEqual({ name: 'test-ns' });
  });

  test.each([
    ['ClusterRole', 'rbac.authorization.k8s.io/v1'],
    ['CustomResourceDefinition', 'apiextensions.k8s.io/v1'],
    ['PriorityClass', 'scheduling.k8s.io/v1'],
    ['IngressClass', 'networking.k8s.io/v1'],
    ['GatewayClass', 'gateway.networking.k8s.io/v1'],
    ['ClusterIssuer', 'cert-manager.io/v1'],
    ['Bundle', 'trust.cert-manager.io/v1alpha1'],
  ])('gives a cluster-scoped %s no namespace', (kind, apiVersion) => {
    expect(inject(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}}`).metadata).toEqual({
      name: 'a',
    });
  });

  test('gives an object no namespace when a CRD of the release says that its kind is cluster-scoped', () => {
    const context = servingContext('{}', { clusterScopedKinds: new Set(['example.test/Planet']) });
    const planet = yamlObject('{apiVersion: example.test/v1, kind: Planet, metadata: {name: mars}}');
    expect(namespaceInjection(planet, context).metadata).toEqual({ name: 'mars' });
  });

  test.each(['ClusterRoleBinding', 'RoleBinding'])(
    'moves those subjects of a %s that have a namespace',
    (kind) => {
      const moved = inject(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
metadata: {name: a}
subjects:
- {kind: ServiceAccount, name: controller, namespace: knative-serving}
- {kind: Group, name: everyone}`);
      expect(moved['subjects']).toEqual([
        { kind: 'ServiceAccount', name: 'controller', namespace: 'test-ns' },
        { kind: 'Group', name: 'everyone' },
      ]);
    },
  );

  test.each(['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'])(
    'moves the service of each hook of a %s, and leaves a hook with a URL alone',
    (kind) => {
      const moved = inject(`
apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}
metadata: {name: a}
webhooks:
- {name: one, clientConfig: {service: {name: webhook, namespace: knative-serving}}}
- {name: two, clientConfig: {url: "https://example.test"}}`);
      expect(moved['webhooks']).toEqual([
        { name: 'one', clientConfig: { service: { name: 'webhook', namespace: 'test-ns' } } },
        { name: 'two', clientConfig: { url: 'https://example.test' } },
      ]);
    },
  );

  test('lets a hook that watches the namespace of its own service watch the new one, and no other', () => {
    const hook = (namespaces: string) => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: config.webhook.eventing.knative.dev}
webhooks:
- name: config
  clientConfig: {service: {name: webhook, namespace: knative-eventing}}
  namespaceSelector:
    matchExpressions:
    - {key: kubernetes.io/metadata.name, operator: In, values: ${namespaces}}
    - {key: tenant, operator: NotIn, values: [knative-eventing]}`;
    const [moved] = listAt(inject(hook('[knative-eventing, kube-system]')), 'webhooks');
    expect(recordAt(moved, 'namespaceSelector')).toEqual({
      matchExpressions: [
        { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['test-ns', 'kube-system'] },
        { key: 'tenant', operator: 'NotIn', values: ['knative-eventing'] },
      ],
    });
  });

  test.each([
    [
      'v1',
      'webhook: {clientConfig: {service: {name: w, namespace: x}}}',
      ['webhook', 'clientConfig', 'service'],
    ],
    [
      'v1beta1',
      'webhookClientConfig: {service: {name: w, namespace: x}}',
      ['webhookClientConfig', 'service'],
    ],
  ])('moves the conversion service of a CRD of %s', (version, conversion, path) => {
    const moved = inject(
      `{apiVersion: apiextensions.k8s.io/${version}, kind: CustomResourceDefinition, metadata: {name: a}, spec: {conversion: {${conversion}}}}`,
    );
    expect(recordAt(moved, 'spec', 'conversion', ...path)).toEqual({ name: 'w', namespace: 'test-ns' });
  });

  test('moves the service of an APIService', () => {
    const moved = inject(
      '{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: a}, spec: {service: {name: s, namespace: x}}}',
    );
    expect(recordAt(moved, 'spec', 'service')).toEqual({ name: 's', namespace: 'test-ns' });
  });

  test.each([
    '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: a}}',
    '{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: a}}',
    '{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: a}, spec: {}}',
    '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}, spec: {conversion: {strategy: None}}}',
  ])('leaves %s as it is: it refers to no namespace', (text) => {
    const object = yamlObject(text);
    expect(namespaceInjection(object, servingContext())).toBe(object);
  });
});
