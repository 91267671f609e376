import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, test } from 'vitest';

import { freezeAggregatedRoles } from '../../../activities/finalize/freeze-aggregated-roles.ts';
import { removeEntries } from '../../../activities/finalize/remove-entries.ts';
import { until } from '../../../dev/processes/until.ts';
import type { InventoryEntry } from '../../../domain/manifests/inventory.ts';
import { intentOf } from '../../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { listAt } from '../../../domain/manifests/object.ts';
import { spokeClient } from '../kubernetes/spoke-client.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const client = spokeClient();
afterAll(() => client.close());

/** Roles that keep the controller busy: each of `gathered` changes all of `aggregated`. */
function roles(run: string): readonly ManifestObject[] {
  const aggregated = Array.from({ length: 6 }, (_, index) => ({
    apiVersion: rbac,
    kind: 'ClusterRole',
    metadata: { name: `${run}-all-${String(index)}` },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [run]: 'true' } }] },
  }));
  const gathered = Array.from({ length: 30 }, (_, index) => ({
    apiVersion: rbac,
    kind: 'ClusterRole',
    metadata: { name: `${run}-part-${String(index)}`, labels: { [run]: 'true' } },
    rules: [
      { apiGroups: [''], resources: ['pods'], resourceNames: [`pod-${String(index)}`], verbs: ['get'] },
    ],
  }));
  return [...aggregated, ...gathered];
}

async function install(run: string): Promise<readonly InventoryEntry[]> {
  const objects = roles(run);
  const applied = await Promise.all(objects.map((object) => client.apply(object)));
  const uids = new Map(applied.map(({ object }) => [object.metadata.name, object.metadata.uid]));
  return intentOf([], objects, '').map((entry) => ({ ...entry, uid: uids.get(entry.name) }));
}

const left = async (entries: readonly InventoryEntry[]): Promise<readonly string[]> => {
  const found = await client.list(rbac, 'ClusterRole', { metadataOnly: true });
  const names = new Set(entries.map(({ name }) => name));
  return found.map(({ metadata }) => metadata.name ?? '').filter((name) => names.has(name));
};

describe('freezeAggregatedRoles', () => {
  test('keeps roles gone that are deleted while their controller is still busy with the roles they gathered', async () => {
    const mark = { uid: 'none', anchorUID: '' };
    const gone: InventoryEntry[] = [];
    for (let round = 0; round < 15; round++) {
      const entries = await install(`freeze-${randomUUID().slice(0, 8)}`);
      await freezeAggregatedRoles(client, entries, mark);
      const [aggregated, gathered] = [true, undefined].map((kind) =>
        entries.filter((entry) => entry.aggregated === kind),
      );
      await removeEntries(client, gathered ?? [], mark);
      await sleep(round * 20);
      await removeEntries(client, aggregated ?? [], mark);
      gone.push(...entries);
    }
    await sleep(3_000);
    expect(await left(gone)).toEqual([]);
  });

  test('leaves a role alone that is not the one recorded', async () => {
    const run = `foreign-${randomUUID().slice(0, 8)}`;
    const entries = await install(run);
    const [first] = entries;
    if (first === undefined) throw new Error('no role');
    await until('the rules are filled in', 60_000, async () => {
      const role = await client.get({ apiVersion: rbac, kind: 'ClusterRole', name: first.name });
      return (role !== undefined && listAt(role, 'rules').length === 30) || undefined;
    });
    const other = [
      { ...first, uid: randomUUID() },
      { ...first, uid: undefined },
      { ...first, adopted: true },
    ];
    await freezeAggregatedRoles(client, other, { uid: 'none', anchorUID: '' });
    const role = await client.get({ apiVersion: rbac, kind: 'ClusterRole', name: first.name });
    expect(role).toHaveProperty('aggregationRule');
    await freezeAggregatedRoles(client, entries, { uid: 'none', anchorUID: '' });
    await removeEntries(client, entries, { uid: 'none', anchorUID: '' });
  });
});
