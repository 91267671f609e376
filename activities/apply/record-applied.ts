import { cededFields } from '../../domain/manifests/ceded-fields.ts';
import type { AppliedObject } from '../../domain/manifests/change-set.ts';
import { ownFields } from '../../domain/manifests/field-set.ts';
import type { Inventory, InventoryEntry } from '../../domain/manifests/inventory.ts';
import { entryKey, isInventoried, newEntry } from '../../domain/manifests/inventory.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { writeInventory } from '../pass/write-inventory.ts';
import type { InventoryCopies } from '../pass/write-inventory.ts';

interface AppliedWork {
  /** Of the owner that the objects were applied with. */
  readonly anchorUID: string;
  readonly inventory: Inventory;
  readonly applied: readonly AppliedObject[];
  /** The whole rendered set. */
  readonly all: readonly ManifestObject[];
}

/**
 * Writes the UIDs and owned fields that an apply brought into both copies of the inventory, as what later comparisons go
 * by; writes nothing when they are known.
 */
export async function recordApplied(copies: InventoryCopies, work: AppliedWork): Promise<void> {
  const byKey = new Map(work.applied.map((item) => [keyOf(item.object), item]));
  const entries = work.inventory.entries.map((entry) => {
    const item = byKey.get(entryKey(entry));
    return item === undefined ? entry : recorded(entry, item, work.all);
  });
  const kept = work.applied
    .filter(({ object }) => !isInventoried(object))
    .map((item) => recorded(newEntry(item.object, ''), item, work.all));
  await writeInventory(copies, { ...work.inventory, anchorUID: work.anchorUID, entries, kept });
}

function recorded(
  entry: InventoryEntry,
  item: AppliedObject,
  all: readonly ManifestObject[],
): InventoryEntry {
  const { object, metadata, adopted } = item;
  const fields = ownFields(metadata, cededFields(object, all));
  return { ...entry, uid: metadata.uid, fields, ...(adopted ? { adopted: true } : {}) };
}
