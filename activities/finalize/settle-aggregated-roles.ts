import { setTimeout as sleep } from 'node:timers/promises';

import { Context } from '@temporalio/activity';

import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import { listAt } from '../../domain/manifests/object.ts';
import { entryRef } from './remove-entries.ts';

const pollMs = 150;
/** Roles of others may match too; then the rules never become empty but stop changing. */
const quietMs = 1_000;
const limitMs = 10_000;

/**
 * Waits until the aggregation controller has taken note that the gathered roles are gone. It writes rules by server-side
 * apply, which would bring an aggregated role back that was deleted in between; once it has nothing to write, it cannot.
 */
export async function settleAggregatedRoles(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
): Promise<void> {
  const signal = Context.current().cancellationSignal;
  const deadline = performance.now() + limitMs;
  await Promise.all(
    entries.map(async (entry) => {
      let version = '';
      let since = performance.now();
      while (performance.now() < deadline) {
        const role = await client.get(entryRef(entry), { signal });
        if (role === undefined || listAt(role, 'rules').length === 0) return;
        if (role.metadata.resourceVersion !== version) since = performance.now();
        version = role.metadata.resourceVersion ?? '';
        if (performance.now() - since > quietMs) return;
        await sleep(pollMs, undefined, { signal });
      }
    }),
  );
}
