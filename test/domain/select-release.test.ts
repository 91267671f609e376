import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { manifestLocations } from '../../domain/manifests/manifest-locations.ts';
import type { ReleaseIndex } from '../../domain/manifests/releases.ts';
import { availableVersions, bundlePath } from '../../domain/manifests/releases.ts';
import type { SpecOfKind } from '../../domain/select-release.ts';
import { selectRelease } from '../../domain/select-release.ts';
import { eventingContext, frozen, servingContext } from '../support/rendering.ts';

const plugins = {
  ingress: ['contour', 'gateway-api', 'istio', 'kourier'],
  sources: ['ceph', 'github', 'kafka', 'redis'],
};
const index: ReleaseIndex = frozen({
  serving: ['1.21.3', '1.22.0', '1.23.0', '1.22.1', '1.20.0'],
  eventing: ['1.22.0', '1.22.10', '1.22.2', '1.23.0'],
  ingress: { '1.22': plugins.ingress, '1.23': plugins.ingress, '1.21': ['istio'] },
  sources: { '1.22': plugins.sources, '1.23': plugins.sources },
  guard: ['0.5', '0.6'],
});

const serving = (spec: string): SpecOfKind => ({ kind: 'KnativeServing', spec: servingContext(spec).spec });
const eventing = (spec: string): SpecOfKind => ({
  kind: 'KnativeEventing',
  spec: eventingContext(spec).spec,
});
const pathsOf = (component: SpecOfKind, from = index) =>
  selectRelease(component, from).bundles.map(bundlePath);

describe('availableVersions', () => {
  test('puts the newest first and names that are no versions last', () => {
    const versions = ['0.26.0', 'latest', '0.24.0', '1.0.0', '0.26.1', '1.0.0-rc.2', '1.0.0-rc.10', '0.25.0'];
    expect(availableVersions('KnativeServing', { ...index, serving: versions })).toEqual([
      '1.0.0',
      '1.0.0-rc.10',
      '1.0.0-rc.2',
      '0.26.1',
      '0.26.0',
      '0.25.0',
      '0.24.0',
      'latest',
    ]);
  });
});

describe('selectRelease', () => {
  test.each([
    ['{}', '1.23.0'],
    ['version: ""', '1.23.0'],
    ['version: latest', '1.23.0'],
    ['version: LATEST', '1.23.0'],
    ['version: "1.22"', '1.22.1'],
    ['version: v1.22', '1.22.1'],
    ['version: 1.22.0', '1.22.0'],
    ['version: v1.22.0', '1.22.0'],
  ])('takes for Serving with %s version %s', (spec, version) => {
    expect(selectRelease(serving(spec), index).version).toBe(version);
  });

  test('compares patches as numbers', () => {
    expect(selectRelease(eventing('version: "1.22"'), index).version).toBe('1.22.10');
  });

  test('takes a directory named latest only when it is asked for by that name', () => {
    const withLatest = {
      ...index,
      serving: [...index.serving, 'latest'],
      ingress: { latest: ['istio'], ...index.ingress },
    };
    expect(pathsOf(serving('version: latest'), withLatest)).toEqual([
      'knative-serving/latest',
      'ingress/latest/istio',
    ]);
    expect(selectRelease(serving('version: LATEST'), withLatest).version).toBe('1.23.0');
    expect(selectRelease(serving('{}'), withLatest).version).toBe('1.23.0');
  });

  test.each(['1.22.9', '1.19', '1.24', '2.0', '1.22.0-rc1'])('has no release %s', (version) => {
    const message = `the manifests of the target version ${version} are not available to this release; available: 1.23.0, 1.22.1, 1.22.0, 1.21.3, 1.20.0`;
    expect(() => selectRelease(serving(`version: "${version}"`), index)).toThrow(
      expect.objectContaining({ kind: 'ReleaseUnavailable', message }),
    );
  });

  test.each(['abc', '1', '1.22.x'])('finds version %s not eligible', (version) => {
    expect(() => selectRelease(serving(`version: "${version}"`), index)).toThrow(
      expect.objectContaining({ kind: 'VersionNotEligible' }),
    );
  });

  test('checks what is installed before it looks for the release', () => {
    expect(() => selectRelease(serving('version: "1.99"'), index, '1.22.1')).toThrow(
      expect.objectContaining({ kind: 'VersionNotEligible' }),
    );
    expect(() => selectRelease(serving('{}'), index, '1.21.3')).toThrow(
      expect.objectContaining({ kind: 'VersionNotEligible' }),
    );
  });

  test('says so when there are no releases at all', () => {
    const empty = { serving: [], eventing: [], ingress: {}, sources: {}, guard: [] };
    expect(() => selectRelease(serving('{}'), empty)).toThrow(
      expect.objectContaining({
        kind: 'ReleaseUnavailable',
        message: 'there is no release of KnativeServing to install',
      }),
    );
  });

  test.each([
    [serving('version: 1.22.1'), ['knative-serving/1.22.1', 'ingress/1.22/istio']],
    [serving('{version: 1.22.1, ingress: {}}'), ['knative-serving/1.22.1']],
    [
      serving('{version: 1.22.1, ingress: {kourier: {enabled: true}, contour: {enabled: true}}}'),
      ['knative-serving/1.22.1', 'ingress/1.22/contour', 'ingress/1.22/kourier'],
    ],
    [
      serving('{version: 1.22.1, ingress: {}, security: {securityGuard: {enabled: true}}}'),
      ['knative-serving/1.22.1', 'security-guard/0.6'],
    ],
    [eventing('version: 1.22.2'), ['knative-eventing/1.22.2']],
    [
      eventing('{version: 1.22.2, source: {redis: {enabled: true}, ceph: {enabled: true}}}'),
      ['knative-eventing/1.22.2', 'eventing-source/1.22/ceph', 'eventing-source/1.22/redis'],
    ],
  ])('chooses the bundles of release %#', (component, paths) => {
    expect(pathsOf(component)).toEqual(paths);
  });

  test.each([
    [
      '{version: "1.21", ingress: {kourier: {enabled: true}}}',
      'there is no ingress/1.21/kourier among the releases',
    ],
    [
      '{version: "1.20", ingress: {kourier: {enabled: true}}}',
      'there is no ingress/1.20/kourier among the releases',
    ],
  ])('refuses a plug-in that the release does not have: %s', (spec, message) => {
    expect(() => selectRelease(serving(spec), index)).toThrow(
      expect.objectContaining({ kind: 'ReleaseUnavailable', message: expect.stringContaining(message) }),
    );
  });

  test('has no security guard for an old Serving', () => {
    const old = { ...index, serving: ['1.7.1'] };
    expect(() =>
      selectRelease(serving('{ingress: {}, security: {securityGuard: {enabled: true}}}'), old),
    ).toThrow(
      'the current version of Knative Serving is 1.7. You need to install the version 1.8 or above to support the security guard',
    );
  });

  test('takes spec.manifests in place of the base, with the version as written', () => {
    const spec =
      '{version: "1.23", ingress: {kourier: {enabled: true}}, manifests: [{URL: "https://x.test/v${VERSION}/a-${VERSION}.yaml"}, {URL: "https://x.test/b"}], additionalManifests: [{URL: "https://x.test/${VERSION}"}, {URL: ""}]}';
    expect(selectRelease(serving(spec), index)).toEqual({
      version: '1.23',
      bundles: [{ component: 'ingress', minor: '1.23', plugin: 'kourier' }],
      manifestUrls: ['https://x.test/v1.23/a-1.23.yaml', 'https://x.test/b'],
      additionalUrls: ['https://x.test/1.23'],
      warnings: [],
    });
  });

  test('leaves out missing plug-ins with a warning when spec.manifests is set', () => {
    const spec =
      '{version: "1.19.0", manifests: [{URL: "https://x.test"}], security: {securityGuard: {enabled: true}}}';
    const selection = selectRelease(serving(spec), index);
    expect(selection.bundles).toEqual([]);
    expect(selection.warnings).toEqual([
      expect.stringContaining('there is no ingress/1.19/istio'),
      expect.stringContaining('the current version of Knative Serving is 1.19'),
    ]);
  });

  test('needs a version with spec.manifests', () => {
    expect(() => selectRelease(serving('manifests: [{URL: "https://x.test"}]'), index)).toThrow(
      'target version v is not in a valid semantic versioning format',
    );
  });

  test('changes neither spec nor index', () => {
    const component = frozen(parse('{kind: KnativeServing, spec: {}}') as SpecOfKind);
    expect(() => selectRelease(component, index)).not.toThrow();
  });
});

describe('manifestLocations', () => {
  const at = (component: SpecOfKind, root = '/releases') =>
    manifestLocations(selectRelease(component, index), root);

  test.each([
    [serving('version: 1.22.1'), ['/releases/knative-serving/1.22.1', '/releases/ingress/1.22/istio']],
    [serving('{version: 1.22.1, ingress: {}}'), ['/releases/knative-serving/1.22.1']],
    [
      serving(
        '{version: 1.22.1, additionalManifests: [{URL: a}, {URL: b}], ingress: {kourier: {enabled: true}, istio: {enabled: true}}, security: {securityGuard: {enabled: true}}}',
      ),
      [
        '/releases/knative-serving/1.22.1',
        'a,b',
        '/releases/ingress/1.22/istio,/releases/ingress/1.22/kourier',
      ],
    ],
    [serving('{version: 1.22.1, ingress: {}, manifests: [{URL: "x/${VERSION}"}, {URL: y}]}'), ['x/1.22.1,y']],
    [
      eventing('{version: 1.22.2, source: {ceph: {enabled: true}, redis: {enabled: true}}}'),
      [
        '/releases/knative-eventing/1.22.2',
        '/releases/eventing-source/1.22/ceph,/releases/eventing-source/1.22/redis',
      ],
    ],
  ])('names what release %# was made from in the form of the Go operator', (component, locations) => {
    expect(at(component)).toEqual(locations);
  });

  test('are relative without a root', () => {
    expect(at(serving('{version: 1.22.1, ingress: {}}'), '')).toEqual(['knative-serving/1.22.1']);
  });
});
