import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { startTcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { object, ownNamespace, spoke, spokeClient, workload } from './spoke-client.ts';

let client: ClusterClient;
let namespace: string;
beforeAll(async () => {
  client = spokeClient();
  namespace = await ownNamespace(client);
});
afterAll(() => client.close());

const refOf = (kind: string, name: string) => ({ apiVersion: 'v1', kind, namespace, name });
const configMap = (name: string, more: object = {}) => object('v1', 'ConfigMap', { name, namespace }, more);

describe('reads', () => {
  test('give metadata only where that is asked for, with the kind that was asked for', async () => {
    await client.apply(configMap('read', { data: { a: 'b' } }));
    const whole = await client.get(refOf('ConfigMap', 'read'));
    const metadata = await client.get(refOf('ConfigMap', 'read'), { metadataOnly: true });
    expect(whole).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } });
    expect(metadata).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: whole?.metadata });
    const list = await client.list('v1', 'ConfigMap', { namespace, metadataOnly: true });
    expect(list.find((item) => item.metadata.name === 'read')).toEqual(metadata);
  });

  test('put the pages of a long list together', async () => {
    const names = Array.from({ length: 520 }, (_, index) => `page-${String(index)}`);
    const fast = spokeClient({}, { limits: { requestsPerSecond: 1000, burst: 1000 } });
    await Promise.all(names.map((name) => fast.apply(configMap(name, { data: {} }), { metadataOnly: true })));
    const seen: string[] = [];
    const counting = spokeClient({ onRequest: ({ path }) => seen.push(path) });
    const all = await counting.list('v1', 'ConfigMap', { namespace, metadataOnly: true });
    expect(new Set(all.map((item) => item.metadata.name))).toEqual(
      new Set(all.map((item) => item.metadata.name).concat(names)),
    );
    expect(seen.filter((path) => path.endsWith('/configmaps'))).toHaveLength(2);
    await Promise.all([fast.close(), counting.close()]);
  });

  test('name the version and the kinds of the server', async () => {
    await expect(client.serverVersion()).resolves.toMatch(/^v1\.\d+/);
    const kinds = (await client.listableKinds()).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    expect(kinds).toEqual(expect.arrayContaining(['v1 ConfigMap', 'apps/v1 Deployment']));
    expect(kinds).not.toContain('authorization.k8s.io/v1 SubjectAccessReview');
    expect(new Set(kinds).size).toBe(kinds.length);
    for (const kind of await client.listableKinds()) {
      const namespaced = kind.namespaced ? { namespace } : {};
      await expect(
        client.list(kind.apiVersion, kind.kind, { ...namespaced, metadataOnly: true }),
      ).resolves.toBeDefined();
    }
  });
});

describe('writes', () => {
  test('replace only the version that was read, and create only once', async () => {
    const created = await client.create(configMap('replaced'));
    await expect(client.create(configMap('replaced'))).rejects.toMatchObject({ kind: 'Conflict' });
    await client.replace({ ...created, data: { a: '1' } });
    await expect(client.replace({ ...created, data: { a: '2' } })).rejects.toMatchObject({
      kind: 'Conflict',
    });
    const generated = await client.create(object('v1', 'ConfigMap', { generateName: 'made-', namespace }));
    expect(generated.metadata.name).toMatch(/^made-/);
  });

  test('patch by JSON patch with a test of the UID', async () => {
    const { metadata } = await client.create(configMap('patched', { data: { a: '1' } }));
    const change = (uid: string | undefined) => ({
      type: 'json' as const,
      operations: [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'remove', path: '/data/a' },
      ],
    });
    await expect(client.patch(refOf('ConfigMap', 'patched'), change('another'))).rejects.toMatchObject({
      kind: 'ApplyRejected',
    });
    const patched = await client.patch(refOf('ConfigMap', 'patched'), change(metadata.uid));
    expect(patched['data']).toBeUndefined();
  });

  test('delete only the incarnation that was meant, and say what became of it', async () => {
    const ref = refOf('ConfigMap', 'deleted');
    const { metadata } = await client.create(configMap('deleted'));
    await expect(client.delete(ref, { uid: 'another' })).rejects.toMatchObject({ kind: 'Conflict' });
    await expect(client.delete(ref, { resourceVersion: '1' })).rejects.toMatchObject({ kind: 'Conflict' });
    await expect(client.delete(ref, { uid: metadata.uid, dryRun: true })).resolves.toBe('deleted');
    await expect(client.delete(ref, { uid: metadata.uid })).resolves.toBe('deleted');
    await expect(client.delete(ref, { uid: metadata.uid })).resolves.toBe('gone');
    await client.apply(object('v1', 'ConfigMap', { name: 'held', namespace, finalizers: ['x.example/y'] }));
    await expect(client.delete(refOf('ConfigMap', 'held'))).resolves.toBe('deleting');
    const free = { type: 'merge' as const, body: { metadata: { finalizers: [] } } };
    await client.patch(refOf('ConfigMap', 'held'), free);
    await expect(client.get(refOf('ConfigMap', 'held'))).resolves.toBeUndefined();
  });
});

describe('a pass that changes nothing', () => {
  test('leaves 300 objects as they are, on one connection, with one request each', async () => {
    const target = new URL(spoke().server);
    const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
    const server = `https://127.0.0.1:${String(proxy.port)}`;
    let requests = 0;
    const counting = spokeClient({ onRequest: () => (requests += 1) }, { server });
    const objects = Array.from({ length: 60 }, (_, index) => variety(`pass-${String(index)}`)).flat();
    expect(objects).toHaveLength(300);
    const pass = async () => {
      const answers = await Promise.all(objects.map((each) => counting.apply(each, { metadataOnly: true })));
      return answers.map(
        ({ object: { metadata } }) => `${String(metadata.uid)} ${String(metadata.resourceVersion)}`,
      );
    };
    const first = await pass();
    requests = 0;
    await expect(pass()).resolves.toEqual(first);
    expect(requests).toBe(300);
    expect(proxy.connections).toBe(1);
    await counting.close();
    await proxy.stop();
  });

  function variety(name: string): readonly ReturnType<typeof object>[] {
    const metadata = { name, namespace };
    const rbac = 'rbac.authorization.k8s.io/v1';
    return [
      configMap(name, { data: { a: name } }),
      object('v1', 'Service', metadata, {
        spec: { ports: [{ name: 'http', port: 80 }], selector: { app: name } },
      }),
      object('v1', 'ServiceAccount', metadata),
      object(rbac, 'Role', metadata, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
      // Nobody runs it: a quantity and defaults are rewritten when it is stored.
      object('v1', 'PodTemplate', metadata, {
        template: recordOf(workload(name, namespace, { resources: { requests: { cpu: '1000m' } } })),
      }),
    ];
  }

  function recordOf(deployment: ReturnType<typeof workload>): unknown {
    return (deployment['spec'] as { template: unknown }).template;
  }
});
