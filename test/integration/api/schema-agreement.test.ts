import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ComponentKind } from '../../../domain/api/component-ref.ts';
import { componentKinds } from '../../../domain/api/component-ref.ts';
import { parseComponent } from '../../../domain/api/parse-component.ts';
import type { ResourceApi } from '../../support/resource-api.ts';
import { openResourceApi } from '../../support/resource-api.ts';
import { hasSharedMaterial, recordings } from '../../support/shared-material.ts';

let api: ResourceApi;
beforeAll(async () => {
  api = await openResourceApi();
});
afterAll(() => api.close());

interface Verdict {
  readonly accepted: boolean;
  /** The spec with unknown fields left out and defaults filled in. */
  readonly spec?: unknown;
}

async function askServer(kind: ComponentKind, spec: unknown): Promise<Verdict> {
  const { status, body, message } = await api.send({
    method: 'POST',
    path: `${api.path(kind)}?dryRun=All&fieldValidation=Ignore`,
    body: api.resource(kind, 'sample', spec),
  });
  if (status !== 201 && status !== 422)
    throw new Error(`the API server answered ${String(status)}: ${message}`);
  return status === 201 ? { accepted: true, spec: body['spec'] } : { accepted: false };
}

function askSchema(kind: ComponentKind, spec: unknown): Verdict {
  try {
    return { accepted: true, spec: parseComponent(kind, api.resource(kind, 'sample', spec)).spec };
  } catch {
    return { accepted: false };
  }
}

const profile = { name: 'edge-1', namespace: 'fleet' };
const workload = (fields: object) => ({ workloads: [{ name: 'activator', ...fields }] });
const env = (valueFrom: object) =>
  workload({ env: [{ container: 'c', envVars: [{ name: 'A', valueFrom }] }] });
const limits = (cpu: unknown) => workload({ resources: [{ container: 'c', limits: { cpu } }] });
const term = { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } };

/** Samples for both kinds; what each side says is compared, and `accepted` keeps both honest. */
const samples: readonly { what: string; spec: unknown; accepted: boolean }[] = [
  { what: 'no spec', spec: undefined, accepted: true },
  {
    what: 'unknown fields at every level',
    spec: { a: 1, registry: { b: 2 }, ...workload({ c: 3 }) },
    accepted: true,
  },
  { what: 'a text for the spec', spec: 'x', accepted: false },
  { what: 'a version that is a number', spec: { version: 1.22 }, accepted: false },
  { what: 'config by ConfigMap', spec: { config: { network: { 'ingress-class': 'x' } } }, accepted: true },
  { what: 'a number in config', spec: { config: { network: { a: 1 } } }, accepted: false },
  { what: 'a pull secret without name', spec: { registry: { imagePullSecrets: [{}] } }, accepted: true },
  {
    what: 'a manifest with URL',
    spec: { manifests: [{ URL: 'https://example.com/a.yaml' }] },
    accepted: true,
  },
  {
    what: 'a manifest with url in lower case',
    spec: { manifests: [{ url: 'https://example.com' }] },
    accepted: false,
  },
  { what: 'replicas', spec: { 'high-availability': { replicas: 2 } }, accepted: true },
  { what: 'high availability without replicas', spec: { 'high-availability': {} }, accepted: false },
  { what: 'replicas with a fraction', spec: { 'high-availability': { replicas: 1.5 } }, accepted: false },
  { what: 'a workload without name', spec: { workloads: [{ replicas: 1 }] }, accepted: false },
  {
    what: 'the deprecated deployments',
    spec: { deployments: [{ name: 'a', hostNetwork: true }] },
    accepted: true,
  },
  { what: 'a quantity as text', spec: limits('100m'), accepted: true },
  { what: 'a quantity as number', spec: limits(2), accepted: true },
  { what: 'a quantity with a fraction as text', spec: limits('1.5'), accepted: true },
  { what: 'a quantity with a fraction as number', spec: limits(1.5), accepted: false },
  { what: 'a quantity with a wrong unit', spec: limits('1GiB'), accepted: false },
  { what: 'a quantity that is a flag', spec: limits(true), accepted: false },
  {
    what: 'claims',
    spec: workload({ resources: [{ container: 'c', claims: [{ name: 'x' }] }] }),
    accepted: true,
  },
  { what: 'a variable from a ConfigMap', spec: env({ configMapKeyRef: { key: 'k' } }), accepted: true },
  {
    what: 'a variable from a Secret',
    spec: env({ secretKeyRef: { key: 'k', name: 's', optional: true } }),
    accepted: true,
  },
  {
    what: 'a variable from a Secret without key',
    spec: env({ secretKeyRef: { name: 's' } }),
    accepted: false,
  },
  {
    what: 'a variable from a file',
    spec: env({ fileKeyRef: { key: 'k', path: 'p', volumeName: 'v' } }),
    accepted: true,
  },
  {
    what: 'a variable from a resource',
    spec: env({ resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } }),
    accepted: true,
  },
  {
    what: 'a variable from a field',
    spec: env({ fieldRef: { fieldPath: 'metadata.name' } }),
    accepted: true,
  },
  {
    what: 'affinity',
    spec: workload({
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
        },
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
          },
        },
      },
    }),
    accepted: true,
  },
  {
    what: 'a toleration',
    spec: workload({ tolerations: [{ key: 'a', tolerationSeconds: 3 }] }),
    accepted: true,
  },
  {
    what: 'a spread without key',
    spec: workload({ topologySpreadConstraints: [{ maxSkew: 1 }] }),
    accepted: false,
  },
  {
    what: 'probes',
    spec: workload({ readinessProbes: [{ container: 'c', periodSeconds: 3 }] }),
    accepted: true,
  },
  {
    what: 'a probe without container',
    spec: workload({ livenessProbes: [{ periodSeconds: 3 }] }),
    accepted: false,
  },
  {
    what: 'a volume mount',
    spec: workload({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
    accepted: true,
  },
  {
    what: 'a budget in percent',
    spec: { podDisruptionBudgets: [{ name: 'a', minAvailable: '80%' }] },
    accepted: true,
  },
  {
    what: 'a budget as number',
    spec: { podDisruptionBudgets: [{ name: 'a', maxUnavailable: 1 }] },
    accepted: true,
  },
  {
    what: 'a budget that is a list',
    spec: { podDisruptionBudgets: [{ name: 'a', maxUnavailable: [] }] },
    accepted: false,
  },
  { what: 'a service', spec: { services: [{ name: 'a', labels: { b: 'c' } }] }, accepted: true },
  {
    what: 'deprecated resources',
    spec: { resources: [{ container: 'a', requests: { cpu: '1' } }] },
    accepted: true,
  },
  { what: 'namespace labels', spec: { namespace: { labels: { a: 'b' } } }, accepted: true },
  { what: 'a destination', spec: { destination: { clusterProfileRef: profile } }, accepted: true },
  {
    what: 'both destinations',
    spec: { destination: { clusterProfileRef: profile }, clusterProfileRef: profile },
    accepted: false,
  },
  {
    what: 'an install namespace with a dot',
    spec: { destination: { clusterProfileRef: profile, namespace: 'a.b' } },
    accepted: false,
  },
  { what: 'the field of 1.22', spec: { clusterProfileRef: profile }, accepted: true },
  {
    what: 'an empty name in the field of 1.22',
    spec: { clusterProfileRef: { ...profile, name: '' } },
    accepted: false,
  },
  { what: 'an empty deletion', spec: { deletion: {} }, accepted: true },
  { what: 'a deadline', spec: { deletion: { policy: 'Deferred', deadline: '72h' } }, accepted: true },
  { what: 'a policy that does not exist', spec: { deletion: { policy: 'Wait' } }, accepted: false },
  { what: 'a deadline in days', spec: { deletion: { deadline: '3d' } }, accepted: false },
  { what: 'a pause', spec: { paused: true }, accepted: true },
  { what: 'a pause as text', spec: { paused: 'true' }, accepted: false },
  { what: 'a drift interval', spec: { drift: { interval: '1h30m' } }, accepted: true },
  { what: 'the shortest drift interval', spec: { drift: { interval: '10s' } }, accepted: true },
  { what: 'a drift interval that is too short', spec: { drift: { interval: '9s' } }, accepted: false },
  { what: 'a drift interval with a fraction', spec: { drift: { interval: '0.5h' } }, accepted: true },
];

const ofOneKind: readonly { what: string; kind: ComponentKind; spec: unknown; accepted: boolean }[] = [
  {
    what: 'kourier',
    kind: 'KnativeServing',
    spec: { ingress: { kourier: { enabled: true, 'http-port': 30080 } } },
    accepted: true,
  },
  {
    what: 'a port as text',
    kind: 'KnativeServing',
    spec: { ingress: { kourier: { 'http-port': '30080' } } },
    accepted: false,
  },
  {
    what: 'an ingress without enabled',
    kind: 'KnativeServing',
    spec: { ingress: { contour: {} } },
    accepted: true,
  },
  {
    what: 'an Istio gateway',
    kind: 'KnativeServing',
    spec: {
      ingress: {
        istio: {
          'knative-local-gateway': { servers: [{ port: { target_port: 1 }, tls: { mode: 'SIMPLE' } }] },
        },
      },
    },
    accepted: true,
  },
  {
    what: 'an empty TLS mode',
    kind: 'KnativeServing',
    spec: { ingress: { istio: { 'knative-local-gateway': { servers: [{ tls: { mode: '' } }] } } } },
    accepted: false,
  },
  {
    what: 'custom certificates',
    kind: 'KnativeServing',
    spec: { 'controller-custom-certs': { type: 'Secret', name: 'a' } },
    accepted: true,
  },
  {
    what: 'custom certificates without type',
    kind: 'KnativeServing',
    spec: { 'controller-custom-certs': { name: 'a' } },
    accepted: false,
  },
  { what: 'an empty security section', kind: 'KnativeServing', spec: { security: {} }, accepted: true },
  {
    what: 'a guard without enabled',
    kind: 'KnativeServing',
    spec: { security: { securityGuard: {} } },
    accepted: false,
  },
  {
    what: 'one source alone',
    kind: 'KnativeEventing',
    spec: { source: { kafka: { enabled: true } } },
    accepted: true,
  },
  {
    what: 'a source without enabled',
    kind: 'KnativeEventing',
    spec: { source: { kafka: {} } },
    accepted: false,
  },
  {
    what: 'broker class and selection mode',
    kind: 'KnativeEventing',
    spec: { defaultBrokerClass: 'A', sinkBindingSelectionMode: 'x' },
    accepted: true,
  },
];

describe.each(componentKinds)('%s', (kind) => {
  test.each(samples)(
    'gets the same verdict and the same spec from both sides: $what',
    async ({ spec, accepted }) => {
      const server = await askServer(kind, spec);
      expect(server.accepted).toBe(accepted);
      expect(askSchema(kind, spec)).toEqual(server);
    },
  );

  test('gets a refusal of a number beyond 32 bits from the code only; the API server does not check formats of integers', async () => {
    const spec = { 'high-availability': { replicas: 3_000_000_000 } };
    expect(await askServer(kind, spec)).toEqual({ accepted: true, spec });
    expect(askSchema(kind, spec)).toEqual({ accepted: false });
  });

  test.runIf(hasSharedMaterial)(
    'accepts every recorded resource of the Go operator, read alike by both sides',
    async () => {
      for (const recorded of recordings.cases.filter((one) => one.kind === kind)) {
        const server = await askServer(kind, recorded.spec);
        expect({ name: recorded.name, ...server }).toMatchObject({ name: recorded.name, accepted: true });
        expect(askSchema(kind, recorded.spec)).toEqual(server);
      }
    },
  );
});

describe('one kind only', () => {
  test.each(ofOneKind)('gets the same verdict from both sides: $what', async ({ kind, spec, accepted }) => {
    const server = await askServer(kind, spec);
    expect(server.accepted).toBe(accepted);
    expect(askSchema(kind, spec)).toEqual(server);
  });
});
