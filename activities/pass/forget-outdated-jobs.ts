import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import { entryKey } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import { templateDigest } from '../apply/template-digest.ts';

/**
 * The entries, with no Job that completed with another template than the wanted one marked as done. It is going to be
 * replaced: should the old template be wanted again before the new Job completed, it has to run once more.
 */
export function forgetOutdatedJobs(
  entries: readonly InventoryEntry[],
  wanted: readonly ManifestObject[],
): readonly InventoryEntry[] {
  const jobs = wanted.filter(({ kind }) => kind === 'Job');
  const digests = new Map(jobs.map((job) => [keyOf(job), templateDigest(job)]));
  return entries.map((entry) => {
    const digest = digests.get(entryKey(entry));
    return digest === undefined || digest === entry.done ? entry : { ...entry, done: undefined };
  });
}
