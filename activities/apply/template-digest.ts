import { createHash } from 'node:crypto';

import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { keyOf } from '../../domain/manifests/object.ts';

/** Digest of what a Job runs; an equal one that completed is not applied again. */
export function templateDigest(job: ManifestObject): string {
  return createHash('sha256')
    .update(JSON.stringify(job['spec'] ?? null))
    .digest('hex')
    .slice(0, 16);
}

/** A Job that completed is not applied again with the same template: it expires, and would run once more. */
export function isFinishedJob(object: ManifestObject, entries: ReadonlyMap<string, InventoryEntry>): boolean {
  return object.kind === 'Job' && entries.get(keyOf(object))?.done === templateDigest(object);
}
