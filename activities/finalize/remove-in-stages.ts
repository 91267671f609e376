import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import { removalStages } from '../../domain/manifests/removal-stages.ts';
import { freezeAggregatedRoles } from './freeze-aggregated-roles.ts';
import { lookIntoNamespaces } from './look-into-namespaces.ts';
import type { Mark } from './our-mark.ts';
import type { Removal } from './remove-entries.ts';
import { removeEntries } from './remove-entries.ts';
import { removeNamespaces } from './remove-namespaces.ts';

/** Removes a part of a component in the order of a full removal, each object by its recorded UID or our mark. Idempotent. */
export async function removeInStages(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
  mark: Mark,
): Promise<Removal> {
  const stages = removalStages(entries);
  await freezeAggregatedRoles(client, entries, mark);
  const results: Removal[] = [];
  for (const stage of stages.objects) results.push(await removeEntries(client, stage.entries, mark));
  if (stages.namespaces.length > 0) {
    const kinds = await client.listableKinds();
    const inside = await lookIntoNamespaces(client, stages.namespaces, { kinds, goes: () => false });
    results.push(await removeNamespaces(client, stages.namespaces, { mark, inside }));
  }
  return {
    removed: results.flatMap(({ removed }) => removed),
    remaining: results.flatMap(({ remaining }) => remaining),
    blockers: results.flatMap(({ blockers }) => blockers),
  };
}
