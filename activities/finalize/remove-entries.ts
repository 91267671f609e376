import type { ClusterClient, ObjectRef } from '../../adapters/kubernetes/cluster-client.ts';
import { isOperatorError, messageOf } from '../../domain/errors.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import { entryIdentity } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { describeIdentity } from '../../domain/manifests/object.ts';
import { isMarked } from './our-mark.ts';
import type { Mark } from './our-mark.ts';

export interface Removal {
  readonly removed: readonly InventoryEntry[];
  readonly remaining: readonly InventoryEntry[];
  /** `Kind namespace/name: why`, for people. */
  readonly blockers: readonly string[];
}

/** Deletes objects of the inventory, all at once, each by its recorded UID or our mark. Collects failures; idempotent. */
export async function removeEntries(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
  mark: Mark,
): Promise<Removal> {
  const results = await Promise.all(
    entries.map(async (entry) => ({ entry, why: await remove(client, entry, mark) })),
  );
  return {
    removed: results.filter((result) => result.why === undefined).map((result) => result.entry),
    remaining: results.filter((result) => result.why !== undefined).map((result) => result.entry),
    blockers: results.flatMap(({ entry, why }) =>
      why === undefined ? [] : [`${describeIdentity(entryIdentity(entry))}: ${why}`],
    ),
  };
}

/** Undefined when nothing of ours is left; else why it still is. */
async function remove(client: ClusterClient, entry: InventoryEntry, mark: Mark): Promise<string | undefined> {
  try {
    if (entry.adopted === true) return await releaseFields(client, entry);
    if (entry.uid === undefined) return await removeIfOurs(client, entry, mark);
    return await removeByUid(client, entry, mark);
  } catch (error) {
    if (isOperatorError(error, 'KindUnavailable')) return undefined;
    return messageOf(error);
  }
}

async function removeByUid(
  client: ClusterClient,
  entry: InventoryEntry,
  mark: Mark,
): Promise<string | undefined> {
  try {
    return await removeExactly(client, entry, { uid: entry.uid });
  } catch (error) {
    // Another object has the name now: ours is gone, and the other one goes only if it carries our mark.
    if (isOperatorError(error, 'Conflict')) return removeIfOurs(client, entry, mark);
    throw error;
  }
}

async function removeIfOurs(
  client: ClusterClient,
  entry: InventoryEntry,
  mark: Mark,
): Promise<string | undefined> {
  const found = await client.get(entryRef(entry), { metadataOnly: true });
  if (found === undefined || !isMarked(found, mark)) return undefined;
  const { uid, resourceVersion } = found.metadata;
  return removeExactly(client, entry, { uid, resourceVersion });
}

async function removeExactly(
  client: ClusterClient,
  entry: InventoryEntry,
  preconditions: { uid: string | undefined; resourceVersion?: string | undefined },
): Promise<string | undefined> {
  const propagation = entry.anchor === true ? 'Orphan' : 'Background';
  const answer = await client.delete(entryRef(entry), { ...preconditions, propagation });
  if (answer !== 'deleting') return undefined;
  return holdersOf(await client.get(entryRef(entry), { metadataOnly: true }));
}

/** Applying an object without fields gives up everything that we own in it. */
async function releaseFields(client: ClusterClient, entry: InventoryEntry): Promise<undefined> {
  if ((await client.get(entryRef(entry), { metadataOnly: true })) === undefined) return undefined;
  const { apiVersion, kind, namespace, name } = entry;
  const metadata = namespace === '' ? { name } : { name, namespace };
  await client.apply({ apiVersion, kind, metadata }, { force: true, metadataOnly: true });
  return undefined;
}

function holdersOf(object: ManifestObject | undefined): string | undefined {
  if (object === undefined) return undefined;
  const finalizers = object.metadata.finalizers ?? [];
  return finalizers.length === 0 ? 'is being deleted' : `is held by finalizer ${finalizers.join(', ')}`;
}

export function entryRef(entry: InventoryEntry): ObjectRef {
  return { apiVersion: entry.apiVersion, kind: entry.kind, namespace: entry.namespace, name: entry.name };
}
