import { createHash } from 'node:crypto';

import { claimNamespace, wireNames } from '../../domain/api/wire-names.ts';
import type { ComponentKind, ComponentRef } from '../../domain/api/component-ref.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Inventory, InventoryEntry } from '../../domain/manifests/inventory.ts';
import { entryKey, unionOf } from '../../domain/manifests/inventory.ts';
import { recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';
import type { ConfigMap } from './config-map.ts';
import { createConfigMap } from './config-map.ts';
import { decodeInventory, encodeInventory } from './inventory-codec.ts';

/** One copy of the inventory of one component: on the target beside the claim, or its mirror on the hub. */
export interface InventoryStore {
  /** With what others joined to it. Undefined when there is none, or when it cannot be read as one. */
  read(signal?: AbortSignal): Promise<Inventory | undefined>;
  /** As this process wrote it, when that was in the last 3 s; else as `read`. A write still notices what others wrote. */
  readOwn(signal?: AbortSignal): Promise<Inventory | undefined>;
  /** Changes with every write of the copy; undefined when there is none. Cheaper than a read. */
  version(signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Makes the copy equal to this; writes nothing when it is. Takes what the store read last as the present copy, and
   * reads again when that was outdated.
   */
  write(inventory: Inventory): Promise<void>;
  /**
   * Adds what a component left that was on the target before. Kept apart until the owner writes an inventory that has
   * it, so that a writer who read before it cannot lose it. Rejects with NotFound when there is no inventory.
   */
  join(inventory: Inventory): Promise<void>;
  /** Whether something was joined that no pass has taken up yet. */
  hasJoined(signal?: AbortSignal): Promise<boolean>;
  /**
   * Removes the copy that the store read last. Rejects with Conflict when somebody wrote since, as one who joined or a
   * successor: what they wrote must not go with it.
   */
  remove(): Promise<void>;
}

/** The copy on the hub, which can also say that the removal goes on without the resource. */
export interface InventoryMirror extends InventoryStore {
  /** Writes the inventory and marks it, in one request. */
  markPending(inventory: Inventory): Promise<void>;
  isPending(): Promise<boolean>;
}

/** Of the ConfigMap beside the claim. */
export function targetInventoryName(kind: ComponentKind): string {
  return `${wireNames.fieldManager}-${kind.toLowerCase()}-inventory`;
}

/** The copy on the target; one per kind, as there is one component of a kind per cluster. */
export function targetInventory(client: ClusterClient, ref: ComponentRef): InventoryStore {
  const at = { namespace: claimNamespace, name: targetInventoryName(ref.kind) };
  return createInventoryStore(createConfigMap(client, at), ref);
}

/** The mirror in the operator's namespace on the hub; a terminating resource namespace would take no ConfigMap. */
export function hubInventory(client: ClusterClient, ref: ComponentRef, at: MirrorLocation): InventoryMirror {
  const hash = createHash('sha256')
    .update(`${formatComponentRef(ref)}/${at.uid}`)
    .digest('hex')
    .slice(0, 20);
  const name = `${wireNames.fieldManager}-inventory-${hash}`;
  const configMap = createConfigMap(client, { namespace: at.operatorNamespace, name });
  return {
    ...createInventoryStore(configMap, ref),
    async markPending(inventory) {
      const labels = { ...labelsOf(ref), [wireNames.cleanupLabel]: wireNames.cleanupPending };
      const annotations = {
        [wireNames.componentAnnotation]: formatComponentRef(ref),
        [wireNames.uidAnnotation]: at.uid,
        [wireNames.clusterProfileAnnotation]: inventory.target.profile,
      };
      const binaryData = { inventory: encodeInventory(inventory) };
      await configMap.change(() => ({ labels, annotations, binaryData }));
    },
    async isPending() {
      const found = await configMap.read();
      return found?.metadata.labels?.[wireNames.cleanupLabel] === wireNames.cleanupPending;
    },
  };
}

export interface MirrorLocation {
  readonly operatorNamespace: string;
  readonly uid: string;
}

function createInventoryStore(configMap: ConfigMap, ref: ComponentRef): InventoryStore {
  return {
    read: async (signal) => wholeInventory(await configMap.read(signal)),
    readOwn: async (signal) => wholeInventory(await configMap.readOwn(signal)),
    version: (signal) => configMap.version(signal),
    async write(inventory) {
      const text = encodeInventory(inventory);
      const keys = new Set(inventory.entries.map(entryKey));
      await configMap.change((found) => {
        const { joined, ...others } = recordAt(found, 'binaryData');
        const known = joinedIn(found).every((entry) => keys.has(entryKey(entry)));
        const same = others['inventory'] === text && (joined === undefined || !known);
        if (same) return undefined;
        const binaryData = known || joined === undefined ? { inventory: text } : { inventory: text, joined };
        const labels = { ...found?.metadata.labels, ...labelsOf(ref) };
        return { labels, binaryData };
      });
    },
    async join(inventory) {
      await configMap.change((found) => {
        if (inventoryIn(found) === undefined) throw nothingToJoin(configMap.name);
        const entries = unionOf(joinedIn(found), inventory.entries);
        const joined = encodeInventory({ ...inventory, entries });
        const binaryData = recordAt(found, 'binaryData');
        return binaryData['joined'] === joined ? undefined : { binaryData: { ...binaryData, joined } };
      });
    },
    async hasJoined(signal) {
      return joinedIn(await configMap.read(signal)).length > 0;
    },
    remove: () => configMap.remove(),
  };
}

/** With what others joined to it. */
function wholeInventory(found: ManifestObject | undefined): Inventory | undefined {
  const inventory = inventoryIn(found);
  return inventory && { ...inventory, entries: unionOf(inventory.entries, joinedIn(found)) };
}

function inventoryIn(found: ManifestObject | undefined): Inventory | undefined {
  const text = stringAt(found, 'binaryData', 'inventory');
  return text === undefined ? undefined : decodeInventory(text);
}

function joinedIn(found: ManifestObject | undefined): readonly InventoryEntry[] {
  const text = stringAt(found, 'binaryData', 'joined');
  return text === undefined ? [] : (decodeInventory(text)?.entries ?? []);
}

function nothingToJoin(name: string): OperatorError {
  return new OperatorError(
    'NotFound',
    `the owner of the target has no inventory ${claimNamespace}/${name} yet; what the earlier component left joins it later`,
  );
}

function labelsOf(ref: ComponentRef): Record<string, string> {
  return {
    [wireNames.managedByLabel]: wireNames.fieldManager,
    'fleet.knative.dev/kind': ref.kind,
    'fleet.knative.dev/namespace': ref.namespace,
    // A label holds 63 characters; the full name is in the data.
    'fleet.knative.dev/name': ref.name.slice(0, 63).replace(/[^A-Za-z0-9]+$/, ''),
  };
}
