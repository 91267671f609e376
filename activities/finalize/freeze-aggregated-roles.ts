import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { ErrorKind } from '../../domain/errors.ts';
import { isOperatorError } from '../../domain/errors.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import { isMarked } from './our-mark.ts';
import type { Mark } from './our-mark.ts';
import { entryRef } from './remove-entries.ts';

/** Gone, of another UID (a patch answers 409 or 422), or not ours to change: the removal itself looks closely again. */
const harmless: ReadonlySet<ErrorKind> = new Set(['NotFound', 'Conflict', 'ApplyRejected', 'SpokeForbidden']);

/**
 * Takes the aggregation rule from our aggregated ClusterRoles that are about to go. Their controller writes rules by
 * server-side apply, which brings a role back that was deleted a moment before; a role without a rule it leaves alone.
 * Must come before the first deletion of a gathered role: the controller then sees both in this order. Idempotent.
 */
export async function freezeAggregatedRoles(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
  mark: Mark,
): Promise<void> {
  const roles = entries.filter((entry) => entry.aggregated === true && entry.adopted !== true);
  await Promise.all(roles.map((entry) => freeze(client, entry, mark)));
}

async function freeze(client: ClusterClient, entry: InventoryEntry, mark: Mark): Promise<void> {
  const uid = entry.uid ?? (await uidIfOurs(client, entry, mark));
  if (uid === undefined) return;
  const body = { metadata: { uid }, aggregationRule: null };
  try {
    await client.patch(entryRef(entry), { type: 'merge', body });
  } catch (error) {
    if (!isOperatorError(error) || !harmless.has(error.kind)) throw error;
  }
}

async function uidIfOurs(
  client: ClusterClient,
  entry: InventoryEntry,
  mark: Mark,
): Promise<string | undefined> {
  const found = await client.get(entryRef(entry), { metadataOnly: true });
  return found !== undefined && isMarked(found, mark) ? found.metadata.uid : undefined;
}
