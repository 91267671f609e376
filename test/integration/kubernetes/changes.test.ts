import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Changes, ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import type { TcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { startTcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { object, ownNamespace, spoke, spokeClient } from './spoke-client.ts';

let proxy: TcpProxy;
let client: ClusterClient;
let namespace: string;

beforeAll(async () => {
  const target = new URL(spoke().server);
  proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  client = spokeClient({}, { server: `https://127.0.0.1:${String(proxy.port)}` });
  namespace = await ownNamespace(client);
});

afterAll(async () => {
  await client.close();
  await proxy.stop();
});

const look = (since?: string): Promise<Changes> =>
  client.changes({ apiVersion: 'v1', kind: 'ConfigMap', namespace, metadataOnly: true, since });

const names = (objects: Changes['present']) => new Set(objects.map(({ metadata }) => metadata.name));

const configMap = (name: string, step: number) => ({
  ...object('v1', 'ConfigMap', { namespace, name }),
  data: { step: String(step) },
});

describe('changes', () => {
  test('tell everything at first, then only what became of what changed', async () => {
    for (const name of ['kept', 'changed', 'removed', 'brief']) await client.apply(configMap(name, 1));
    const first = await look();
    expect(first.complete).toBe(true);
    expect([...names(first.present)]).toEqual(
      expect.arrayContaining(['brief', 'changed', 'kept', 'removed']),
    );

    await client.apply(configMap('changed', 2));
    await client.apply(configMap('changed', 3));
    await client.apply(configMap('late', 1));
    await client.delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'removed' });
    const second = await look(first.until);
    expect(second).toMatchObject({ complete: false });
    expect(names(second.present)).toEqual(new Set(['changed', 'late']));
    expect(names(second.gone)).toEqual(new Set(['removed']));
    expect(second.present.map(({ metadata }) => metadata.managedFields?.length)).toEqual([1, 1]);

    const third = await look(second.until);
    expect([...third.present, ...third.gone]).toEqual([]);
  });

  test('cost a few hundred bytes when nothing happened', async () => {
    const first = await look();
    const before = proxy.bytesToClient;
    await look(first.until);
    expect(proxy.bytesToClient - before).toBeLessThan(1_000);
  });
});
