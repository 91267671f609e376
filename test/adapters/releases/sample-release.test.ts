import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

import { createParsedCache } from '../../../adapters/releases/parsed-cache.ts';
import { releaseDirectory } from '../../../adapters/releases/release-directory.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { listAt, recordAt } from '../../../domain/manifests/object.ts';
import { renderRelease } from '../../../domain/render.ts';
import type { ReleaseObjects } from '../../../domain/render.ts';

const root = fileURLToPath(new URL('../../../releases/sample', import.meta.url));
const sample = releaseDirectory(root, createParsedCache(undefined));
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'anchor', uid: 'x' };
const render = (
  component: 'knative-serving' | 'knative-eventing',
  version: string,
  bundles: ReleaseObjects,
) =>
  component === 'knative-serving'
    ? renderRelease({ kind: 'KnativeServing', spec: {}, version, installNamespace: 'other', owner, bundles })
    : renderRelease({
        kind: 'KnativeEventing',
        spec: {},
        version,
        installNamespace: 'other',
        owner,
        bundles,
      });

const expected = [
  'Namespace',
  'CustomResourceDefinition',
  'ServiceAccount',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'ConfigMap',
  'Secret',
  'Deployment',
  'Service',
  'HorizontalPodAutoscaler',
  'PodDisruptionBudget',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'Job',
];

describe.each(['knative-serving', 'knative-eventing'] as const)('the sample release of %s', (component) => {
  const versions = ['1.21.0', '1.22.0', '1.22.1'];
  const loaded = new Map<string, readonly ManifestObject[]>();
  beforeAll(async () => {
    for (const version of versions) loaded.set(version, await sample.load({ component, version }));
  });
  const objects = (version: string): readonly ManifestObject[] => loaded.get(version) ?? [];

  test('has the versions that an upgrade needs', async () => {
    const index = await sample.index();
    expect((component === 'knative-serving' ? index.serving : index.eventing).toSorted()).toEqual(versions);
  });

  test.each(versions)('holds in %s an object of every class that a real release has', (version) => {
    const kinds = new Set(objects(version).map(({ kind }) => kind));
    const own = component === 'knative-serving' ? ['Image', 'Certificate'] : ['StatefulSet'];
    expect([...expected, ...own].filter((kind) => !kinds.has(kind))).toEqual([]);
    expect(objects(version).some((object) => object['aggregationRule'] !== undefined)).toBe(true);
    expect(
      objects(version)
        .filter(({ kind }) => kind === 'Job')
        .every(({ metadata }) => metadata.generateName),
    ).toBe(true);
  });

  test.each(versions)(
    'makes the webhooks of %s refuse when nothing serves them, as real ones do',
    (version) => {
      const hooks = objects(version).flatMap((object) => listAt(object, 'webhooks'));
      expect(hooks.length).toBeGreaterThan(1);
      expect(hooks.filter((hook) => recordAt(hook)['failurePolicy'] !== 'Fail')).toEqual([]);
    },
  );

  test.each(versions)('renders in %s into a namespace of choice', (version) => {
    const bundles = { base: objects(version), plugins: [], additional: [] };
    const rendered = render(component, version, bundles).objects;
    expect(rendered.length).toBeGreaterThanOrEqual(20);
    expect(rendered.filter(({ metadata }) => (metadata.namespace ?? 'other') !== 'other')).toEqual([]);
  });

  test('differs between versions in more than the version', () => {
    const changed = (from: string, to: string) =>
      JSON.stringify(objects(from)).replaceAll(from, 'V') !== JSON.stringify(objects(to)).replaceAll(to, 'V');
    expect(changed('1.21.0', '1.22.0')).toBe(true);
  });

  test('names no image that exists', () => {
    const images = JSON.stringify([...loaded.values()]).match(/"image":"[^"]+"/g) ?? [];
    expect(images.length).toBeGreaterThan(0);
    expect(images.filter((image) => !image.includes('example.invalid/'))).toEqual([]);
  });
});
