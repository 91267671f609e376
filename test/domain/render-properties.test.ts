import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isOperatorError } from '../../domain/errors.ts';
import { canonicalJson } from '../../domain/manifests/canonical-json.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord, keyOf } from '../../domain/manifests/object.ts';
import type { RenderedRelease, RenderInput } from '../../domain/render.ts';
import { renderRelease } from '../../domain/render.ts';
import { eventingSpec, name, servingSpec, text } from '../support/arbitrary-spec.ts';
import { frozen } from '../support/rendering.ts';
import { smallRelease } from '../support/small-release.ts';

const strings = fc.dictionary(name, text, { maxKeys: 3 });

const metadata = fc.record(
  { name, generateName: name, namespace: name, labels: strings, uid: name },
  { requiredKeys: [] },
);
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
      servingSpec.map((spec) => ({ kind: 'KnativeServing' as const, spec })),
      eventingSpec.map((spec) => ({ kind: 'KnativeEventing' as const, spec })),
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

  test('changes nothing of what it rendered before, Jobs and templates of images aside', () => {
    holds(({ objects }, from) => {
      // A Job takes on the version again, and a template is filled again, from what it gave before.
      if (from.spec.registry?.default !== undefined) return;
      const base = objects.filter(({ kind }) => kind !== 'Job');
      const again = renderRelease({ ...from, bundles: { base, plugins: [], additional: [] } });
      expect(canonicalJson(again.objects)).toBe(canonicalJson(base));
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
