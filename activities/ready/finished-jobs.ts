import type { Inventory } from '../../domain/manifests/inventory.ts';
import { entryKey } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import { readinessOf } from '../../domain/manifests/readiness.ts';
import { templateDigest } from '../apply/template-digest.ts';
import { writeInventory } from '../pass/write-inventory.ts';
import type { InventoryCopies } from '../pass/write-inventory.ts';
import type { PlannedRelease } from '../plan/planner.ts';

/** Marks the Jobs that completed: they expire after ten minutes, and their absence is then no drift. */
export async function recordFinishedJobs(
  copies: InventoryCopies,
  work: {
    readonly inventory: Inventory;
    readonly planned: PlannedRelease;
    readonly found: readonly ManifestObject[];
  },
): Promise<void> {
  const finished = new Set(
    work.found.filter((object) => object.kind === 'Job' && readinessOf(object).ready).map(keyOf),
  );
  if (finished.size === 0) return;
  const digests = new Map(work.planned.objects.map((object) => [keyOf(object), templateDigest(object)]));
  const entries = work.inventory.entries.map((entry) => {
    const key = entryKey(entry);
    const done = digests.get(key);
    return finished.has(key) && done !== undefined ? { ...entry, done } : entry;
  });
  const inventory = { ...work.inventory, entries };
  await writeInventory(copies, inventory);
}
