import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { isOperatorError } from '../../domain/errors.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import { entryRef } from './remove-entries.ts';

const attempts = 4;

/**
 * Takes one owner off the namespaced objects of an inventory, so that the collector leaves them when it goes. Everything
 * else in them stays. Idempotent.
 */
export async function disownEntries(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
  ownerUID: string,
): Promise<void> {
  const namespaced = entries.filter((entry) => entry.namespace !== '');
  await Promise.all(namespaced.map((entry) => disown(client, entry, ownerUID)));
}

async function disown(client: ClusterClient, entry: InventoryEntry, ownerUID: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const found = await client.get(entryRef(entry), { metadataOnly: true });
    const owners = found?.metadata.ownerReferences ?? [];
    const ownerReferences = owners.filter((owner) => owner.uid !== ownerUID);
    if (found === undefined || ownerReferences.length === owners.length) return;
    const { uid, resourceVersion } = found.metadata;
    const body = { metadata: { uid, resourceVersion, ownerReferences } };
    try {
      await client.patch(entryRef(entry), { type: 'merge', body });
      return;
    } catch (error) {
      if (!isOperatorError(error, 'Conflict') || attempt === attempts) throw error;
    }
  }
}
