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

/** Where a component's objects are looked for. */
export interface Comparison {
  readonly client: ClusterClient;
  readonly kind: ComponentKind;
  readonly signal?: AbortSignal | undefined;
}

/** Recorded objects of one kind in one namespace. */
export interface EntryGroup {
  readonly key: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly entries: readonly InventoryEntry[];
}

/** Identity key to live metadata; undefined for an object that does not exist. */
export type Sighting = readonly [key: string, metadata: ObjectMeta | undefined];

/** Everything that is compared: what a removal would remove, and the CRDs, which stay. */
export function comparedEntries(inventory: Inventory): readonly InventoryEntry[] {
  return [...inventory.entries, ...(inventory.kept ?? [])].filter(
    ({ done, uid }) => done === undefined && uid !== undefined,
  );
}

export function groupEntries(entries: readonly InventoryEntry[]): readonly EntryGroup[] {
  const groups = new Map<string, InventoryEntry[]>();
  for (const entry of entries) {
    const key = `${entry.apiVersion}/${entry.kind}/${entry.namespace}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups].flatMap(([key, members]) => {
    const [first] = members;
    if (first === undefined) return [];
    const { apiVersion, kind, namespace } = first;
    return [{ key, apiVersion, kind, namespace, entries: members }];
  });
}

/**
 * Compares recorded objects with the target by metadata only: one list for each kind and namespace, by the label that
 * every object of a component has. Reads one by one only what the lists do not show. Writes nothing.
 */
export async function compareTarget(
  comparison: Comparison,
  entries: readonly InventoryEntry[],
): Promise<readonly Drift[]> {
  const byKey = new Map(entries.map((entry) => [entryKey(entry), entry]));
  const looks = await Promise.all(groupEntries(entries).map((group) => lookAt(comparison, group, undefined)));
  return looks
    .flatMap(({ seen }) => seen)
    .flatMap(([key, metadata]) => {
      const entry = byKey.get(key);
      return (entry === undefined ? undefined : driftOf(entry, metadata)) ?? [];
    });
}

/** The label by which a component's objects are found. */
export function componentSelector(kind: ComponentKind): string {
  return `${wireNames.componentLabel}=${componentApi[kind].nameLabel}`;
}

/** All of a group, or what changed in it since an earlier look. `until` is where the next one goes on. */
export async function lookAt(
  comparison: Comparison,
  group: EntryGroup,
  since: string | undefined,
): Promise<{ readonly seen: readonly Sighting[]; readonly until: string | undefined }> {
  const { client, kind, signal } = comparison;
  const { apiVersion, namespace, entries } = group;
  // To list Secrets is to read them all, so that right is not asked for.
  if (group.kind === 'Secret') {
    return { seen: await Promise.all(entries.map((entry) => sight(comparison, entry))), until: undefined };
  }
  const where = namespace === '' ? {} : { namespace };
  const labelSelector = componentSelector(kind);
  const look = { apiVersion, kind: group.kind, ...where, labelSelector, metadataOnly: true, since, signal };
  const changes = await client.changes(look).catch((error: unknown) => {
    if (isOperatorError(error, 'KindUnavailable')) return undefined;
    throw error;
  });
  if (changes === undefined)
    return { seen: entries.map((entry) => [entryKey(entry), undefined]), until: undefined };
  const present = new Map(changes.present.map((object) => [keyOf(object), object.metadata]));
  // One that left the selection may have lost its label only.
  const read = changes.complete ? entries : entriesOf(entries, changes.gone.map(keyOf));
  const missing = read.filter((entry) => !present.has(entryKey(entry)));
  const others = await Promise.all(missing.map((entry) => sight(comparison, entry)));
  return { seen: [...present, ...others], until: changes.until };
}

function entriesOf(entries: readonly InventoryEntry[], keys: readonly string[]): readonly InventoryEntry[] {
  const wanted = new Set(keys);
  return entries.filter((entry) => wanted.has(entryKey(entry)));
}

/** Metadata of one object as it is now; undefined when it, or its kind, does not exist. */
export async function sight(
  { client, signal }: Omit<Comparison, 'kind'>,
  entry: InventoryEntry,
): Promise<Sighting> {
  try {
    const found = await client.get(entryRef(entry), { metadataOnly: true, signal });
    return [entryKey(entry), found?.metadata];
  } catch (error) {
    if (isOperatorError(error, 'KindUnavailable')) return [entryKey(entry), undefined];
    throw error;
  }
}
