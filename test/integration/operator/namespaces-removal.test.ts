import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, describe, expect, test } from 'vitest';

import type { ListableKind } from '../../../adapters/kubernetes/cluster-client.ts';
import { lookIntoNamespaces } from '../../../activities/finalize/look-into-namespaces.ts';
import type { NamespaceRemoval } from '../../../activities/finalize/remove-namespaces.ts';
import { removeNamespaces } from '../../../activities/finalize/remove-namespaces.ts';
import { makeCertificates } from '../../../dev/certificates/make-certificates.ts';
import { statusAnswer } from '../../../dev/fault-proxy/http-fault.ts';
import { startHttpProxy } from '../../../dev/fault-proxy/start-http-proxy.ts';
import { until } from '../../../dev/processes/until.ts';
import type { InventoryEntry } from '../../../domain/manifests/inventory.ts';
import { object, spoke, spokeClient, uniqueName } from '../kubernetes/spoke-client.ts';

const client = spokeClient();
afterAll(() => client.close());
const mark = { uid: 'none', anchorUID: '' };

async function makeNamespace(more: Partial<InventoryEntry> = {}): Promise<InventoryEntry> {
  const name = uniqueName('removal');
  const labels = { ours: 'yes' };
  const { object: made } = await client.apply(object('v1', 'Namespace', { name, labels }));
  const ref = { apiVersion: 'v1', kind: 'ServiceAccount', namespace: name, name: 'default' };
  await until('the namespace is complete', 30_000, () => client.get(ref));
  const { uid, creationTimestamp: since = '' } = made.metadata;
  return { apiVersion: 'v1', kind: 'Namespace', namespace: '', name, uid, since, ...more };
}

const remove = async (entries: readonly InventoryEntry[], known?: readonly ListableKind[], by = client) => {
  const kinds = known ?? (await by.listableKinds());
  const inside = await lookIntoNamespaces(by, entries, { kinds, goes: () => false });
  return new MockActivityEnvironment().run<[], NamespaceRemoval, () => Promise<NamespaceRemoval>>(() =>
    removeNamespaces(by, entries, { mark, inside }),
  );
};

const find = ({ apiVersion, kind, name }: InventoryEntry) => client.get({ apiVersion, kind, name });

describe('removeNamespaces', () => {
  test('removes every namespace that we made, and none that holds something foreign', async () => {
    const [first, second, used] = await Promise.all([makeNamespace(), makeNamespace(), makeNamespace()]);
    await client.apply(object('v1', 'ConfigMap', { name: 'theirs', namespace: used.name }));
    const removal = await remove([first, second, used]);
    expect(removal.blockers).toEqual([]);
    expect(await Promise.all([find(first), find(second)])).toEqual([undefined, undefined]);
    expect((await find(used))?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('gives up only our labels of a namespace that was there before', async () => {
    const adopted = await makeNamespace({ adopted: true });
    await client.patch(
      { apiVersion: 'v1', kind: 'Namespace', name: adopted.name },
      { type: 'merge', body: { metadata: { labels: { theirs: 'yes' } } } },
    );
    await remove([adopted]);
    const found = await find(adopted);
    expect(found?.metadata.labels).toMatchObject({ theirs: 'yes' });
    expect(found?.metadata.labels).not.toHaveProperty('ours');
    expect(found?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('leaves a namespace alone that is not the one recorded', async () => {
    const entry = await makeNamespace();
    await remove([{ ...entry, uid: 'another' }]);
    expect((await find(entry))?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('removes a namespace whose UID was never recorded when it is newer than the claim and has our mark', async () => {
    const annotations = { 'fleet.knative.dev/owner': mark.uid };
    const [marked, older, foreign] = await Promise.all([makeNamespace(), makeNamespace(), makeNamespace()]);
    for (const { name } of [marked, older]) {
      const ref = { apiVersion: 'v1', kind: 'Namespace', name };
      await client.patch(ref, { type: 'merge', body: { metadata: { annotations } } });
    }
    const later = new Date(Date.parse(older.since) + 60_000).toISOString();
    const unrecorded = [marked, { ...older, since: later }, foreign].map((entry) => ({
      ...entry,
      uid: undefined,
    }));
    await remove(unrecorded);
    expect(await find(marked)).toBeUndefined();
    expect((await find(older))?.metadata.deletionTimestamp).toBeUndefined();
    expect((await find(foreign))?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('leaves a namespace alone when it is not known what could be in it, and says that it remains', async () => {
    const entry = await makeNamespace();
    const removal = await remove([entry], []);
    expect((await find(entry))?.metadata.deletionTimestamp).toBeUndefined();
    expect(removal.remaining).toEqual([entry]);
    expect(removal.blockers).toEqual([`Namespace ${entry.name} could not be looked at for any kind`]);
  });

  test('waits for the next try when a list is not answered, and goes on without one that is refused', async () => {
    const certificates = await makeCertificates(['IP:127.0.0.1']);
    const proxy = await startHttpProxy({ target: spoke(), certificate: certificates.server });
    const settings = { server: proxy.server, certificateAuthority: certificates.authority };
    const behind = spokeClient({}, settings);
    const answers = { status: 503, reason: 'ServiceUnavailable' };
    proxy.inject(({ path }) =>
      path.endsWith('/limitranges') ? statusAnswer(answers.status, answers.reason) : undefined,
    );
    const entry = await makeNamespace();
    try {
      const removal = await remove([entry], undefined, behind);
      expect(removal.remaining).toEqual([entry]);
      expect(removal.kept).toEqual([]);
      expect(removal.blockers).toEqual([
        expect.stringContaining(`${entry.name} could not be looked at for LimitRange`),
      ]);
      Object.assign(answers, { status: 405, reason: 'MethodNotAllowed' });
      const lasting = await remove([entry], undefined, behind);
      expect(lasting.remaining).toEqual([]);
      expect(lasting.kept).toEqual([expect.stringContaining('could not be looked at for LimitRange')]);
      expect((await find(entry))?.metadata.deletionTimestamp).toBeUndefined();
      proxy.inject(undefined);
      expect((await remove([entry], undefined, behind)).remaining).toEqual([]);
      expect(await find(entry)).toBeUndefined();
    } finally {
      await behind.close();
      await proxy.stop();
    }
  });
});
