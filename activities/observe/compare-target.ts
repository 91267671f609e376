import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import { componentApi } from '../../domain/api/component-ref.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { isOperatorError } from '../../domain/errors.ts';
import type { Drift } from '../../domain/manifests/drift.ts';
import { driftOf } from '../../domain/manifests/drift.ts';
import type { Inventory, InventoryEntry } from '../../domain/manifests/inventory.ts';
import { entryKey } from '../../domain/manifests/inventory.ts';
import type { ObjectMeta } from '../../domain/manifests/object.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import { entryRef } from '../finalize/remove-entries.ts';

export interface Comparison {
  readonly client: ClusterClient;
  readonly kind: ComponentKind;
  readonly signal?: AbortSignal | undefined;
}

/** Everything that is compared: what a removal would remove, and the CRDs, which stay. */
export function comparedEntries(inventory: Inventory): readonly InventoryEntry[] {
  return [...inventory.entries, ...(inventory.kept ?? [])].filter(
    ({ done, uid }) => done === undefined && uid !== undefined,
  );
}

/**
 * Compares recorded objects with the target by metadata only: one list for each kind and namespace, by the label that
 * every object of a component has. Reads one by one only what the lists do not show. Writes nothing.
 */
export async function compareTarget(
  comparison: Comparison,
  entries: readonly InventoryEntry[],
): Promise<readonly Drift[]> {
  const groups = Object.values(Object.groupBy(entries, groupKey));
  const drifts = await Promise.all(groups.map((group) => compareGroup(comparison, group ?? [])));
  return drifts.flat();
}

function groupKey({ apiVersion, kind, namespace }: InventoryEntry): string {
  return `${apiVersion}/${kind}/${namespace}`;
}

async function compareGroup(
  comparison: Comparison,
  entries: readonly InventoryEntry[],
): Promise<readonly Drift[]> {
  const listed = await listGroup(comparison, entries);
  const drifts = await Promise.all(
    entries.map(async (entry) => {
      const found = listed.get(entryKey(entry)) ?? (await readMetadata(comparison, entry));
      return driftOf(entry, found);
    }),
  );
  return drifts.filter((drift) => drift !== undefined);
}

/** The label by which a component's objects are found. */
export function componentSelector(kind: ComponentKind): string {
  return `${wireNames.componentLabel}=${componentApi[kind].nameLabel}`;
}

async function listGroup(
  { client, kind, signal }: Comparison,
  [first]: readonly InventoryEntry[],
): Promise<ReadonlyMap<string, ObjectMeta>> {
  if (first === undefined) return new Map();
  const options = {
    labelSelector: componentSelector(kind),
    metadataOnly: true,
    signal,
    ...(first.namespace === '' ? {} : { namespace: first.namespace }),
  };
  try {
    const objects = await client.list(first.apiVersion, first.kind, options);
    return new Map(objects.map((object) => [keyOf(object), object.metadata]));
  } catch (error) {
    if (isOperatorError(error, 'KindUnavailable')) return new Map();
    throw error;
  }
}

/** Metadata of one object as it is now; undefined when it, or its kind, does not exist. */
export async function readMetadata(
  { client, signal }: Comparison,
  entry: InventoryEntry,
): Promise<ObjectMeta | undefined> {
  try {
    return (await client.get(entryRef(entry), { metadataOnly: true, signal }))?.metadata;
  } catch (error) {
    if (isOperatorError(error, 'KindUnavailable')) return undefined;
    throw error;
  }
}
