import { describe, expect, test } from 'vitest';

import { inPreferredVersions } from '../../../adapters/kubernetes/discovery-documents.ts';
import { createDiscovery } from '../../../adapters/kubernetes/discovery.ts';
import type { DiscoveryAnswer } from '../../../adapters/kubernetes/discovery.ts';
import { OperatorError } from '../../../domain/errors.ts';
import { discovered } from './fake-api-server.ts';

const core = discovered('', 'v1', [['configmaps', 'ConfigMap']]);
const none = { kind: 'APIGroupDiscoveryList', items: [] };

/** Discovery of a server that answers these documents; `asked` has the paths and tags of the questions. */
function over(documents: Record<string, unknown>) {
  const asked: string[] = [];
  const discovery = createDiscovery((path, etag) => {
    asked.push(etag === undefined ? path : `${path} unless ${etag}`);
    const body = documents[path];
    if (body instanceof Error) return Promise.reject(body);
    const tag = JSON.stringify(body);
    return Promise.resolve<DiscoveryAnswer>(
      etag === tag ? { type: 'unchanged' } : { type: 'changed', etag: tag, body },
    );
  }, 'https://spoke.example');
  return { discovery, asked, documents };
}

describe('createDiscovery', () => {
  test('asks once for all kinds, however many ask at once', async () => {
    const { discovery, asked } = over({
      '/api': core,
      '/apis': discovered('apps', 'v1', [['deployments', 'Deployment']]),
    });
    const found = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        index % 2 === 0 ? discovery.resource('v1', 'ConfigMap') : discovery.resource('apps/v1', 'Deployment'),
      ),
    );
    expect(asked).toEqual(['/api', '/apis']);
    expect(found[1]).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      plural: 'deployments',
      namespaced: true,
      verbs: ['get', 'list', 'watch', 'patch'],
      preferred: true,
    });
  });

  test('knows where Namespaces are before it has asked, so that a cluster can be asked at once who it is', async () => {
    const { discovery, asked } = over({ '/api': core, '/apis': none });
    const resource = await discovery.resource('v1', 'Namespace');
    expect(resource).toMatchObject({ plural: 'namespaces', namespaced: false });
    expect(asked).toEqual([]);
    await discovery.resource('v1', 'ConfigMap');
    await expect(discovery.resource('v1', 'Namespace')).rejects.toMatchObject({ kind: 'KindUnavailable' });
  });

  test('asks again on a miss, only where the kind would be, with the tag of the last answer', async () => {
    const { discovery, asked, documents } = over({ '/api': core, '/apis': none });
    await discovery.resource('v1', 'ConfigMap');
    documents['/apis'] = discovered('new.example', 'v1', [['things', 'Thing']]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect(discovery.resource('new.example/v1', 'Thing')).resolves.toMatchObject({ plural: 'things' });
    expect(asked.slice(2)).toEqual([`/apis unless ${JSON.stringify(none)}`]);
  });

  test('holds what clusters have in common once, and keeps them apart when one gains a kind', async () => {
    const apps = discovered('apps', 'v1', [['deployments', 'Deployment']]);
    const [one, other] = [over({ '/api': core, '/apis': apps }), over({ '/api': core, '/apis': apps })];
    const find = (from: typeof one, apiVersion: string, kind: string) =>
      from.discovery.resource(apiVersion, kind);
    expect(await find(one, 'apps/v1', 'Deployment')).toBe(await find(other, 'apps/v1', 'Deployment'));
    one.documents['/apis'] = discovered('new.example', 'v1', [['things', 'Thing']]);
    one.discovery.invalidate();
    await expect(find(one, 'new.example/v1', 'Thing')).resolves.toMatchObject({ plural: 'things' });
    await expect(find(other, 'apps/v1', 'Deployment')).resolves.toMatchObject({ plural: 'deployments' });
    other.discovery.invalidate();
    await expect(find(other, 'new.example/v1', 'Thing')).rejects.toMatchObject({ kind: 'KindUnavailable' });
  });

  test('believes no answer that was asked for before it was invalidated', async () => {
    const { discovery, documents } = over({ '/api': core, '/apis': none });
    const first = discovery.resource('v1', 'ConfigMap');
    documents['/apis'] = discovered('new.example', 'v1', [['things', 'Thing']]);
    discovery.invalidate();
    const second = discovery.resource('new.example/v1', 'Thing');
    await expect(first).resolves.toBeDefined();
    await expect(second).resolves.toMatchObject({ plural: 'things' });
    documents['/apis'] = none;
    discovery.invalidate();
    await expect(discovery.resource('new.example/v1', 'Thing')).rejects.toMatchObject({
      kind: 'KindUnavailable',
    });
  });

  test('names the missing kind and the server', async () => {
    const { discovery } = over({ '/api': core, '/apis': none });
    await expect(discovery.resource('gone.example/v1', 'Gone')).rejects.toMatchObject({
      kind: 'KindUnavailable',
      message: 'no matches for kind "Gone" in version "gone.example/v1" on https://spoke.example',
    });
  });

  test('does not know about kinds of a group whose server is down', async () => {
    const stale = { version: 'v1beta1', freshness: 'Stale', resources: [] };
    const items = [{ metadata: { name: 'metrics.k8s.io' }, versions: [stale] }];
    const { discovery } = over({ '/api': core, '/apis': { kind: 'APIGroupDiscoveryList', items } });
    const unknown = {
      kind: 'ApiTransient',
      message: expect.stringMatching(/metrics\.k8s\.io\/v1beta1/) as string,
    };
    await expect(discovery.resource('metrics.k8s.io/v1beta1', 'NodeMetrics')).rejects.toMatchObject(unknown);
    await expect(discovery.all()).resolves.toMatchObject({ unavailable: ['metrics.k8s.io/v1beta1'] });
    await expect(discovery.resource('v1', 'ConfigMap')).resolves.toBeDefined();
  });

  test('prefers of two resources with one kind the one that can do more', async () => {
    const resource = (plural: string, verbs: readonly string[]) => ({
      resource: plural,
      responseKind: { kind: 'Template' },
      scope: 'Namespaced',
      verbs,
    });
    const resources = [resource('processedtemplates', ['create']), resource('templates', ['get', 'list'])];
    const items = [{ metadata: { name: 'x.example' }, versions: [{ version: 'v1', resources }] }];
    const { discovery } = over({ '/api': core, '/apis': { kind: 'APIGroupDiscoveryList', items } });
    await expect(discovery.resource('x.example/v1', 'Template')).resolves.toMatchObject({
      plural: 'templates',
    });
  });

  test('reads every group version of a server that does not aggregate', async () => {
    const unavailable = new OperatorError('ApiTransient', 'no', { details: { status: 503 } });
    const { discovery } = over({
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/api/v1': {
        kind: 'APIResourceList',
        resources: [
          { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['list'] },
          { name: 'pods/log', kind: 'Pod', namespaced: true, verbs: ['get', 'list', 'watch'] },
        ],
      },
      '/apis': {
        kind: 'APIGroupList',
        groups: [
          {
            name: 'x.example',
            preferredVersion: { groupVersion: 'x.example/v2' },
            versions: [{ groupVersion: 'x.example/v1' }, { groupVersion: 'x.example/v2' }],
          },
          { name: 'down', versions: [{ groupVersion: 'down/v1' }] },
        ],
      },
      '/apis/x.example/v1': { resources: [{ name: 'xs', kind: 'X', namespaced: false, verbs: [] }] },
      '/apis/x.example/v2': { resources: [{ name: 'xs', kind: 'X', namespaced: false, verbs: [] }] },
      '/apis/down/v1': unavailable,
    });
    await expect(discovery.resource('v1', 'Pod')).resolves.toMatchObject({
      plural: 'pods',
      namespaced: true,
    });
    await expect(discovery.resource('x.example/v2', 'X')).resolves.toMatchObject({ preferred: true });
    await expect(discovery.resource('x.example/v1', 'X')).resolves.toMatchObject({ preferred: false });
    await expect(discovery.resource('down/v1', 'Y')).rejects.toMatchObject({ kind: 'ApiTransient' });
  });

  test('refuses what is no API server', async () => {
    const { discovery } = over({ '/api': { hello: 1 }, '/apis': none });
    await expect(discovery.resource('v1', 'ConfigMap')).rejects.toMatchObject({
      kind: 'RemoteClientCreationFailed',
    });
  });
});

describe('inPreferredVersions', () => {
  test('takes each resource once, and those that only an older version has', () => {
    const resource = (apiVersion: string, plural: string, preferred: boolean) => ({
      apiVersion,
      kind: plural,
      plural,
      namespaced: true,
      verbs: [],
      preferred,
    });
    const resources = [
      resource('a.example/v1beta1', 'xs', false),
      resource('a.example/v1', 'xs', true),
      resource('a.example/v1beta1', 'ys', false),
      resource('b.example/v1beta1', 'xs', false),
    ];
    expect(inPreferredVersions(resources).map(({ apiVersion, plural }) => `${apiVersion} ${plural}`)).toEqual(
      ['a.example/v1 xs', 'a.example/v1beta1 ys', 'b.example/v1beta1 xs'],
    );
  });
});
