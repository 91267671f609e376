import type { FieldSet } from '../../domain/manifests/field-set.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import { entryKey } from '../../domain/manifests/inventory.ts';
import { createSharedValues } from '../../domain/shared-values.ts';

const texts = createSharedValues<string>(20_000);
const fieldSets = createSharedValues<FieldSet>(5_000);

/**
 * Entries by their identity keys, for keeping. The same release on a hundred spokes has the same names and fields a
 * hundred times; all but UIDs and times is in memory once.
 */
export function shareEntries(entries: readonly InventoryEntry[]): Map<string, InventoryEntry> {
  return new Map(entries.map((entry) => [shareText(entryKey(entry)), shareEntry(entry)]));
}

function shareEntry(entry: InventoryEntry): InventoryEntry {
  const { apiVersion, kind, namespace, name, fields } = entry;
  return {
    ...entry,
    apiVersion: shareText(apiVersion),
    kind: shareText(kind),
    namespace: shareText(namespace),
    name: shareText(name),
    since: shareText(entry.since),
    ...(fields === undefined ? {} : { fields: fieldSets.share(JSON.stringify(fields), fields) }),
  };
}

function shareText(text: string): string {
  return texts.share(text, text);
}
