import { setTimeout as sleep } from 'node:timers/promises';

import { Context } from '@temporalio/activity';

import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { aggregationController } from '../../domain/api/wire-names.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { entryRef } from './remove-entries.ts';

const pauseMs = 500;
const quietLooks = 3;
const maxLooks = 20;

/**
 * Removes aggregated ClusterRoles that came back: their controller writes rules by server-side apply, which creates a
 * role that was deleted a moment before. Such a remnant has no other manager. Ends when three looks in a row find none.
 */
export async function removeRemnants(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
): Promise<void> {
  let quiet = 0;
  for (let look = 0; look < maxLooks && quiet < quietLooks && entries.length > 0; look++) {
    const found = await Promise.all(entries.map((entry) => removeRemnant(client, entry)));
    quiet = found.includes(true) ? 0 : quiet + 1;
    if (quiet < quietLooks) await sleep(pauseMs, undefined, { signal: Context.current().cancellationSignal });
  }
}

async function removeRemnant(client: ClusterClient, entry: InventoryEntry): Promise<boolean> {
  const found = await client.get(entryRef(entry), { metadataOnly: true });
  if (found === undefined || !isRemnant(found)) return false;
  await client.delete(entryRef(entry), { uid: found.metadata.uid });
  return true;
}

function isRemnant(role: ManifestObject): boolean {
  const managers = role.metadata.managedFields ?? [];
  return managers.length > 0 && managers.every((entry) => entry.manager === aggregationController);
}
