import type { FieldSet } from './field-set.ts';
import type { ManifestObject, ObjectIdentity } from './object.ts';
import { identityKey, identityOf } from './object.ts';

/** One object that we installed, or are about to. */
export interface InventoryEntry {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Known once the object was applied; deletes carry it. */
  readonly uid?: string | undefined;
  /** Server time, RFC 3339, before the first write: an older object was not made by us. */
  readonly since: string;
  /** It existed before us: no owner reference, and at the end only our fields are released. */
  readonly adopted?: boolean | undefined;
  /** A ClusterRole whose rules a controller fills in; that controller may bring it back after a delete. */
  readonly aggregated?: boolean | undefined;
  /** The anchor of a former owner: it goes without what it still owns. */
  readonly anchor?: boolean | undefined;
  /** A Job that completed with this template digest: its absence is no drift. */
  readonly done?: string | undefined;
  /** The fields that we owned after the last apply, without those that are ceded; losing one is drift. */
  readonly fields?: FieldSet | undefined;
}

/** Which cluster, and how it was reached last; holds no credential. */
export interface InventoryTarget {
  readonly clusterUID: string;
  readonly server: string;
  /** `<namespace>/<name>` of the ClusterProfile, or `local`. */
  readonly profile: string;
}

/** What one component has on one target, written before the first write that makes it necessary. */
export interface Inventory {
  readonly component: string;
  readonly uid: string;
  /** The cluster that the entries are on; other clusters' objects of the same names are never meant. */
  readonly target: InventoryTarget;
  readonly installNamespace: string;
  readonly anchorUID: string;
  readonly version: string;
  readonly digest: string;
  readonly entries: readonly InventoryEntry[];
  /** CRDs as last applied. They are compared like entries and never removed. */
  readonly kept?: readonly InventoryEntry[] | undefined;
}

/** What an inventory keeps of a target's identity. */
export function inventoryTarget({ clusterUID, server, profile }: InventoryTarget): InventoryTarget {
  return { clusterUID, server, profile };
}

export function entryIdentity(entry: InventoryEntry): ObjectIdentity {
  const slash = entry.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : entry.apiVersion.slice(0, slash);
  return { group, kind: entry.kind, namespace: entry.namespace, name: entry.name };
}

export function entryKey(entry: InventoryEntry): string {
  return identityKey(entryIdentity(entry));
}

/** CRDs stay on the cluster for ever, so they are never entries. */
export function isInventoried(object: ManifestObject): boolean {
  return object.kind !== 'CustomResourceDefinition';
}

/** The union of what was recorded and what is wanted now; recorded entries keep their UID and time. */
export function intentOf(
  recorded: readonly InventoryEntry[],
  wanted: readonly ManifestObject[],
  since: string,
): readonly InventoryEntry[] {
  const entries = new Map(recorded.map((entry) => [entryKey(entry), entry]));
  for (const object of wanted) {
    if (!isInventoried(object)) continue;
    const key = identityKey(identityOf(object));
    const known = entries.get(key);
    const entry = newEntry(object, since);
    // Of a rebuilt entry nobody knew yet that its rules are gathered.
    const { apiVersion, aggregated } = entry;
    entries.set(
      key,
      known === undefined ? entry : { ...known, apiVersion, ...(aggregated && { aggregated }) },
    );
  }
  return [...entries.values()];
}

/** Whether something is wanted that is not recorded. */
export function hasUnrecorded(
  recorded: readonly InventoryEntry[],
  wanted: readonly ManifestObject[],
): boolean {
  const keys = new Set(recorded.map(entryKey));
  return wanted.some((object) => isInventoried(object) && !keys.has(identityKey(identityOf(object))));
}

/** An entry for an object that was not written yet. */
export function newEntry(object: ManifestObject, since: string): InventoryEntry {
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
    since,
    ...(object['aggregationRule'] === undefined ? {} : { aggregated: true }),
  };
}

/** The first list and what only the second one has; where both have an object, the first one knows better. */
export function unionOf(
  known: readonly InventoryEntry[],
  more: readonly InventoryEntry[],
): readonly InventoryEntry[] {
  const keys = new Set(known.map(entryKey));
  return [...known, ...more.filter((entry) => !keys.has(entryKey(entry)))];
}

/** Recorded entries that the wanted set does not contain any more. */
export function obsoleteEntries(
  recorded: readonly InventoryEntry[],
  wanted: readonly ManifestObject[],
): readonly InventoryEntry[] {
  const keys = new Set(wanted.map((object) => identityKey(identityOf(object))));
  return recorded.filter((entry) => !keys.has(entryKey(entry)));
}
