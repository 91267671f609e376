import { setTimeout as sleep } from 'node:timers/promises';

import { Context } from '@temporalio/activity';

import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { aggregationController } from '../../domain/api/wire-names.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { entryRef } from './remove-entries.ts';

const pauseMs = 300;
const maxLooks = 10;

/**
 * Removes aggregated ClusterRoles that came back all the same, by a write of their controller that was under way when
 * their rule was taken. Such a remnant has no other manager. Looks a moment later, and ends with the first look that
 * finds none.
 */
export async function removeRemnants(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
): Promise<void> {
  const { cancellationSignal } = Context.current();
  if (entries.length === 0) return;
  for (let look = 0; look < maxLooks; look++) {
    await sleep(pauseMs, undefined, { signal: cancellationSignal });
    const found = await Promise.all(entries.map((entry) => removeRemnant(client, entry)));
    if (!found.includes(true)) return;
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
