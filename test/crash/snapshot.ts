import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { targetInventory } from '../../adapters/target/inventory-store.ts';
import { entryKey } from '../../domain/manifests/inventory.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import type { JsonRecord } from '../../domain/manifests/object.ts';
import { dumpOwn } from '../conformance/dump.ts';
import { normalise } from '../conformance/normalise.ts';
import type { Component } from '../support/operator-fleet.ts';

/** What one release leaves on the spoke. */
export interface Snapshot {
  /** By identity, without what differs between two runs. */
  readonly objects: Readonly<Record<string, JsonRecord>>;
  /** Identities in the inventory. */
  readonly inventory: readonly string[];
  /** Entries whose recorded UID is not that of the object on the spoke. */
  readonly mistaken: readonly string[];
}

/** Reads what a component has on its spoke now. */
export async function snapshot(client: ClusterClient, component: Component): Promise<Snapshot> {
  const objects = await dumpOwn(client);
  const uids = new Map(objects.map((object) => [keyOf(object), object.metadata.uid]));
  const entries = (await targetInventory(client, component).read())?.entries ?? [];
  return {
    objects: Object.fromEntries(
      objects.map((object): [string, JsonRecord] => [keyOf(object), normalise(object)]).toSorted(byKey),
    ),
    inventory: entries.map(entryKey).toSorted(),
    mistaken: entries
      .filter((entry) => entry.done === undefined && entry.uid !== uids.get(entryKey(entry)))
      .map(entryKey),
  };
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
