import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { KnativeEventingSpec } from '../../domain/api/knative-eventing.ts';
import { KnativeServingSpec } from '../../domain/api/knative-serving.ts';
import { isOperatorError } from '../../domain/errors.ts';
import { canonicalJson } from '../../domain/manifests/canonical-json.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord, keyOf } from '../../domain/manifests/object.ts';
import type { RenderedRelease, RenderInput } from '../../domain/render.ts';
import { renderRelease } from '../../domain/render.ts';
import { frozen } from '../support/rendering.ts';
import { smallRelease } from '../support/small-release.ts';

const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'controller',
    'webhook',
    'migrate-',
    'migrate',
    '__proto__',
    '${NAME}',
    '$&',
    'a: [b',
  ),
  fc.string({ maxLength: 6 }),
);
const name = fc.oneof(
  fc.constantFrom(
    'controller',
    'webhook',
    'activator',
    'config-deployment',
    'deployment',
    'queue-proxy',
    'migrate-',
  ),
  text,
);
const strings = fc.dictionary(name, text, { maxKeys: 3 });
const replicas = fc.integer({ min: -1, max: 9 });
const optional = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });
const listOf = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });

const resources = fc.record({
  container: name,
  limits: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '2Gi')),
});
const probe = optional({ periodSeconds: replicas, failureThreshold: replicas }).map((numbers) => ({
  container: 'controller',
  ...numbers,
}));
const override = fc
  .tuple(
    name,
    optional({
      labels: strings,
      annotations: strings,
      replicas,
      nodeSelector: strings,
      tolerations: listOf(fc.constant({ operator: 'Exists' })),
      affinity: fc.constant({ nodeAffinity: {} }),
      resources: listOf(resources),
      env: listOf(fc.record({ container: name, envVars: listOf(fc.record({ name, value: text })) })),
      readinessProbes: listOf(probe),
      livenessProbes: listOf(probe),
      hostNetwork: fc.boolean(),
    }),
  )
  .map(([workload, fields]) => ({ name: workload, ...fields }));

const commonFields = {
  config: fc.dictionary(name, strings, { maxKeys: 3 }),
  registry: optional({ default: text, override: strings, imagePullSecrets: listOf(fc.record({ name })) }),
  namespace: optional({ labels: strings, annotations: strings }),
  'high-availability': fc.record({ replicas }),
  workloads: listOf(override),
  deployments: listOf(override),
  services: listOf(fc.record({ name, labels: strings, selector: strings })),
  podDisruptionBudgets: listOf(fc.record({ name, minAvailable: replicas })),
  resources: listOf(resources),
};
const servingSpec = optional({
  ...commonFields,
  'controller-custom-certs': fc.record({ type: fc.constantFrom('', 'ConfigMap', 'Secret', 'x'), name }),
  ingress: optional({
    istio: optional({ enabled: fc.boolean() }),
    kourier: optional({
      enabled: fc.boolean(),
      'service-type': text,
      'http-port': replicas,
      'bootstrap-configmap': name,
    }),
  }),
  security: fc.record({ securityGuard: fc.record({ enabled: fc.boolean() }) }),
});
const eventingSpec = optional({ ...commonFields, defaultBrokerClass: text, sinkBindingSelectionMode: text });

const metadata = optional({ name, generateName: name, namespace: name, labels: strings, uid: name });
const oddObject = fc.record(
  {
    apiVersion: fc.constantFrom(
      'v1',
      'apps/v1',
      'batch/v1',
      'rbac.authorization.k8s.io/v1',
      'networking.istio.io/v1',
    ),
    kind: fc.constantFrom(
      'APIService',
      'ClusterRole',
      'ConfigMap',
      'CustomResourceDefinition',
      'Deployment',
      'Gateway',
      'HorizontalPodAutoscaler',
      'Job',
      'MutatingWebhookConfiguration',
      'Namespace',
      'RoleBinding',
      'Secret',
      'Service',
    ),
    metadata,
    spec: fc.jsonValue({ maxDepth: 3 }),
    data: fc.oneof(strings, fc.jsonValue({ maxDepth: 1 })),
    webhooks: fc.jsonValue({ maxDepth: 3 }),
    subjects: fc.jsonValue({ maxDepth: 2 }),
    rules: fc.constant([]),
    aggregationRule: fc.constant({}),
  },
  { requiredKeys: ['apiVersion', 'kind', 'metadata'] },
);

const common = {
  version: '1.23.0',
  installNamespace: 'ns',
  owner: { apiVersion: 'v1', kind: 'ConfigMap', name: 'anchor', uid: 'u' },
};
const input: fc.Arbitrary<RenderInput> = fc
  .record({
    component: fc.oneof(
      servingSpec.map((spec) => ({ kind: 'KnativeServing' as const, spec: KnativeServingSpec.parse(spec) })),
      eventingSpec.map((spec) => ({
        kind: 'KnativeEventing' as const,
        spec: KnativeEventingSpec.parse(spec),
      })),
    ),
    extra: fc.array(oddObject, { maxLength: 2 }),
    kubernetesMinVersion: fc.option(text, { nil: undefined }),
  })
  .map(({ component, extra, kubernetesMinVersion }) => {
    const plugins = [{ plugin: 'odd', objects: extra as unknown as ManifestObject[] }];
    return frozen({
      ...common,
      ...component,
      kubernetesMinVersion,
      bundles: { base: smallRelease, plugins, additional: [] },
    });
  });

/** The release, or nothing when the input is refused as it may be; anything else that is thrown fails the test. */
function outcome(from: RenderInput): RenderedRelease | undefined {
  try {
    return renderRelease(from);
  } catch (error) {
    if (isOperatorError(error, 'SpecInvalid') || isOperatorError(error, 'ManifestInvalid')) return undefined;
    throw error;
  }
}

function holds(property: (release: RenderedRelease, from: RenderInput) => void): void {
  let rendered = 0;
  fc.assert(
    fc.property(input, (from) => {
      const release = outcome(from);
      if (release === undefined) return;
      rendered += 1;
      property(release, from);
    }),
    { numRuns: 400 },
  );
  expect(rendered).toBeGreaterThan(40);
}

function hasDeep(value: unknown, found: (value: unknown, key: string) => boolean, key = ''): boolean {
  if (found(value, key)) return true;
  const children = Array.isArray(value)
    ? value.map((item) => ['', item] as const)
    : Object.entries(isRecord(value) ? value : {});
  return children.some(([child, item]) => hasDeep(item, found, child));
}

describe('renderRelease, for any spec and any manifest', () => {
  test('renders frozen inputs to the same text twice', () => {
    holds((release, from) => {
      expect(canonicalJson(renderRelease(from).objects)).toBe(canonicalJson(release.objects));
    });
  });

  test('renders a copy of its inputs to the same text', () => {
    holds((release, from) => {
      const copy = JSON.parse(JSON.stringify(from)) as RenderInput;
      expect(canonicalJson(renderRelease(copy).objects)).toBe(canonicalJson(release.objects));
    });
  });

  test('never sends rules of an aggregated role nor a CA bundle', () => {
    holds(({ objects }) => {
      expect(
        objects.filter(
          (object) =>
            isRecord(object['aggregationRule']) && 'rules' in object && object.kind === 'ClusterRole',
        ),
      ).toEqual([]);
      const typed = objects.filter(({ kind }) => /Webhook|CustomResource/.test(kind));
      expect(typed.filter((object) => hasDeep(object, isCaBundle))).toEqual([]);
    });
  });

  test('names every object, once', () => {
    holds(({ objects }) => {
      expect(objects.filter(({ metadata: { name: own } }) => own === undefined || own === '')).toEqual([]);
      expect(new Set(objects.map(keyOf)).size).toBe(objects.length);
    });
  });

  test('sends no null, no status and nothing that only a server writes', () => {
    holds(({ objects }) => {
      const unclean = objects.filter(
        (object) =>
          'status' in object ||
          'uid' in object.metadata ||
          (object.kind !== 'CustomResourceDefinition' && hasDeep(object, (value) => value === null)),
      );
      expect(unclean).toEqual([]);
    });
  });

  test('owns every namespaced object and nothing else', () => {
    holds(({ objects }) => {
      const wrong = objects.filter(
        ({ metadata: own }) =>
          (own.namespace === 'ns') !== (own.ownerReferences !== undefined) &&
          own.namespace !== 'istio-system',
      );
      expect(wrong).toEqual([]);
    });
  });
});

function isCaBundle(_value: unknown, key: string): boolean {
  return key === 'caBundle';
}
