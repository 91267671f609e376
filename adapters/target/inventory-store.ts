import { createHash } from 'node:crypto';

import { claimNamespace, wireNames } from '../../domain/api/wire-names.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import { isOperatorError } from '../../domain/errors.ts';
import type { Inventory } from '../../domain/manifests/inventory.ts';
import { stringAt } from '../../domain/manifests/object.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';
import { decodeInventory, encodeInventory } from './inventory-codec.ts';

/** One copy of the inventory of one component: on the target beside the claim, or its mirror on the hub. */
export interface InventoryStore {
  /** Undefined when there is none, or when it cannot be read as one. */
  read(signal?: AbortSignal): Promise<Inventory | undefined>;
  /** Changes with every write of the copy; undefined when there is none. Cheaper than a read. */
  version(signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Makes the copy equal to this; writes nothing when it is. Takes what the store read last as the present copy, and
   * reads again when that was outdated.
   */
  write(inventory: Inventory): Promise<void>;
  remove(): Promise<void>;
}

/** The copy on the target; one per kind, as there is one component of a kind per cluster. */
export function targetInventory(client: ClusterClient, ref: ComponentRef): InventoryStore {
  const name = `${wireNames.fieldManager}-${ref.kind.toLowerCase()}-inventory`;
  return createInventoryStore(client, ref, { namespace: claimNamespace, name });
}

/** The mirror in the operator's namespace on the hub; a terminating resource namespace would take no ConfigMap. */
export function hubInventory(client: ClusterClient, ref: ComponentRef, at: MirrorLocation): InventoryStore {
  const hash = createHash('sha256')
    .update(`${formatComponentRef(ref)}/${at.uid}`)
    .digest('hex')
    .slice(0, 20);
  const name = `${wireNames.fieldManager}-inventory-${hash}`;
  return createInventoryStore(client, ref, { namespace: at.operatorNamespace, name });
}

export interface MirrorLocation {
  readonly operatorNamespace: string;
  readonly uid: string;
}

const attempts = 8;

function createInventoryStore(
  client: ClusterClient,
  ref: ComponentRef,
  at: { namespace: string; name: string },
): InventoryStore {
  const objectRef = { apiVersion: 'v1', kind: 'ConfigMap', ...at };
  let seen: { readonly found: ManifestObject | undefined } | undefined;
  const look = async (signal?: AbortSignal): Promise<ManifestObject | undefined> => {
    const found = await client.get(objectRef, { signal });
    seen = { found };
    return found;
  };
  const save = async (inventory: Inventory): Promise<void> => {
    const binaryData = { inventory: encodeInventory(inventory) };
    const found = seen === undefined ? await look() : seen.found;
    seen = undefined;
    if (stringAt(found, 'binaryData', 'inventory') === binaryData.inventory) return;
    const metadata = { ...found?.metadata, ...at, labels: labelsOf(ref) };
    const object: ManifestObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, binaryData };
    await (found === undefined ? client.create(object) : client.replace(object));
  };
  return {
    async read(signal) {
      const text = stringAt(await look(signal), 'binaryData', 'inventory');
      return text === undefined ? undefined : decodeInventory(text);
    },
    async version(signal) {
      const found = await client.get(objectRef, { signal, metadataOnly: true });
      return found === undefined
        ? undefined
        : `${found.metadata.uid ?? ''}/${found.metadata.resourceVersion ?? ''}`;
    },
    async write(inventory) {
      for (let attempt = 1; ; attempt++) {
        try {
          await save(inventory);
          return;
        } catch (error) {
          if (!isOperatorError(error, 'Conflict') || attempt === attempts) throw error;
        }
      }
    },
    async remove() {
      await client.delete(objectRef, { propagation: 'Background' });
    },
  };
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
