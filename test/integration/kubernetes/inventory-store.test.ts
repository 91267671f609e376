import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { hubInventory } from '../../../adapters/target/inventory-store.ts';
import type { InventoryMirror } from '../../../adapters/target/inventory-store.ts';
import type { Inventory, InventoryEntry } from '../../../domain/manifests/inventory.ts';
import { ownNamespace, spokeClient } from './spoke-client.ts';

let client: ClusterClient;
let operatorNamespace: string;
beforeAll(async () => {
  client = spokeClient();
  operatorNamespace = await ownNamespace(client);
});
afterAll(() => client.close());

const ref = { kind: 'KnativeServing', namespace: 'team', name: 'serving' } as const;
const storeOf = (uid: string): InventoryMirror => hubInventory(client, ref, { operatorNamespace, uid });

function entry(name: string, uid: string): InventoryEntry {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ns', name, uid, since: '2026-01-01T00:00:00Z' };
}

function inventory(uid: string, ...entries: readonly InventoryEntry[]): Inventory {
  const target = { clusterUID: 'cluster', server: 'https://spoke', profile: 'fleet/spoke' };
  const component = 'KnativeServing/team/serving';
  return {
    component,
    uid,
    target,
    installNamespace: 'ns',
    anchorUID: '',
    version: '1',
    digest: 'd',
    entries,
  };
}

describe('an inventory', () => {
  test('that another one joins keeps what it knows itself and gets the rest', async () => {
    const store = storeOf('joined');
    const mine = entry('a', '1');
    await store.write(inventory('joined', mine));
    await store.join(inventory('before', entry('a', 'older'), entry('b', '2')));
    expect((await store.read())?.entries).toEqual([mine, entry('b', '2')]);
    expect(await store.hasJoined()).toBe(true);
  });

  test('does not lose what joined to a writer who had read before, and takes it up from one who knows it', async () => {
    const store = storeOf('raced');
    await store.write(inventory('raced', entry('a', '1')));
    await store.join(inventory('before', entry('b', '2')));
    await store.write(inventory('raced', entry('a', '1'), entry('c', '3')));
    expect((await store.read())?.entries.map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    await store.write(inventory('raced', entry('a', '1'), entry('b', '2')));
    expect(await store.hasJoined()).toBe(false);
    await store.write(inventory('raced', entry('a', '1')));
    expect((await store.read())?.entries).toEqual([entry('a', '1')]);
  });

  test('that this process wrote a moment ago is known without a read, and a write still notices what others wrote', async () => {
    const [writer, next] = [storeOf('own'), storeOf('own')];
    expect(await next.readOwn()).toBeUndefined();
    await writer.write(inventory('own', entry('a', '1')));
    const elsewhere = spokeClient();
    const other = hubInventory(elsewhere, ref, { operatorNamespace, uid: 'own' });
    await other.join(inventory('before', entry('b', '2')));
    await elsewhere.close();
    expect((await next.readOwn())?.entries).toEqual([entry('a', '1')]);
    await next.write(inventory('own', entry('a', '1'), entry('c', '3')));
    expect((await next.read())?.entries.map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    await next.remove();
    expect(await storeOf('own').readOwn()).toBeUndefined();
  });

  test('that was written in another namespace is another one', async () => {
    const elsewhere = hubInventory(client, ref, {
      operatorNamespace: await ownNamespace(client),
      uid: 'apart',
    });
    await storeOf('apart').write(inventory('apart', entry('a', '1')));
    expect(await elsewhere.readOwn()).toBeUndefined();
  });

  test('to which something joined since it was read is not removed with it', async () => {
    const store = storeOf('removed');
    await store.write(inventory('removed', entry('a', '1')));
    await store.read();
    await storeOf('removed').join(inventory('before', entry('b', '2')));
    await expect(store.remove()).rejects.toMatchObject({ kind: 'Conflict' });
    expect((await store.read())?.entries.map(({ name }) => name)).toEqual(['a', 'b']);
    await store.remove();
    expect(await store.read()).toBeUndefined();
  });

  test('that a successor has made anew is not removed by one who read the former', async () => {
    const [late, successor] = [storeOf('late'), storeOf('late')];
    await late.write(inventory('late', entry('a', '1')));
    await late.read();
    await successor.remove();
    await successor.write(inventory('late', entry('c', '3')));
    await expect(late.remove()).rejects.toMatchObject({ kind: 'Conflict' });
    expect((await successor.read())?.entries).toEqual([entry('c', '3')]);
  });

  test('that is not there refuses to be joined, so that nothing is taken for handed over', async () => {
    await expect(storeOf('absent').join(inventory('before', entry('b', '2')))).rejects.toMatchObject({
      kind: 'NotFound',
    });
  });

  test('of a removal that goes on stays marked as such when somebody writes it once more', async () => {
    const store = storeOf('pending');
    await store.write(inventory('pending', entry('a', '1')));
    expect(await store.isPending()).toBe(false);
    await store.markPending(inventory('pending', entry('a', '1')));
    await store.write(inventory('pending', entry('a', '1'), entry('b', '2')));
    expect(await store.isPending()).toBe(true);
    await store.remove();
    expect(await store.isPending()).toBe(false);
  });
});
