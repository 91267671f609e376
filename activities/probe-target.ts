import type { PassInput } from '../domain/lifecycle/pass.ts';
import type { InventoryEntry } from '../domain/manifests/inventory.ts';
import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { entryRef } from './finalize/remove-entries.ts';
import { openPass } from './pass/open-pass.ts';
import { openTarget } from './pass/open-target.ts';
import { reporting } from './pass/reporting.ts';

/**
 * Compares the target with the inventory by metadata only: whether each object is there with the UID that we recorded.
 * Writes nothing; a difference makes the workflow run a full pass.
 */
export function probeTarget(deps: ActivityDependencies) {
  return async (input: PassInput): Promise<{ readonly drifted: boolean }> =>
    reporting(deps, input, async () => {
      const resource = await openPass(deps, input);
      const target = await openTarget(deps, resource);
      const inventory = await deps.target.inventory(target.client, input.ref).read();
      if (inventory?.uid !== input.uid) return { drifted: true };
      const differences = await Promise.all(inventory.entries.map((entry) => differs(target.client, entry)));
      return { drifted: differences.includes(true) };
    });
}

async function differs(client: ClusterClient, entry: InventoryEntry): Promise<boolean> {
  if (entry.done !== undefined) return false;
  const found = await client.get(entryRef(entry), { metadataOnly: true });
  return found?.metadata.uid !== entry.uid;
}
