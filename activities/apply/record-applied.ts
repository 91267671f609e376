import type { ComponentRef } from '../../domain/api/component-ref.ts';
import type { AppliedObject } from '../../domain/manifests/change-set.ts';
import type { Inventory } from '../../domain/manifests/inventory.ts';
import { entryKey } from '../../domain/manifests/inventory.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { OpenTarget } from '../pass/open-target.ts';
import { writeInventory } from '../pass/write-inventory.ts';

/** Writes the UIDs that an apply brought into both copies of the inventory; writes nothing when they are known. */
export async function recordApplied(
  deps: ActivityDependencies,
  target: OpenTarget,
  work: {
    readonly inventory: Inventory;
    readonly applied: readonly AppliedObject[];
    readonly ref: ComponentRef;
  },
): Promise<void> {
  const byKey = new Map(work.applied.map((item) => [keyOf(item.object), item]));
  const entries = work.inventory.entries.map((entry) => {
    const item = byKey.get(entryKey(entry));
    if (item === undefined) return entry;
    return { ...entry, uid: item.metadata.uid, ...(item.adopted ? { adopted: true } : {}) };
  });
  const inventory = { ...work.inventory, entries };
  await writeInventory(deps, target, work.ref, inventory);
}
