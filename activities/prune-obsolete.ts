import { heartbeat } from '@temporalio/activity';

import type { InstallInput, PruneResult } from '../domain/lifecycle/pass.ts';
import { entryKey, obsoleteEntries } from '../domain/manifests/inventory.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { removeInStages } from './finalize/remove-in-stages.ts';
import { verifyAbsent } from './finalize/verify-absent.ts';
import { openPass } from './pass/open-pass.ts';
import { openTarget } from './pass/open-target.ts';
import { planAgain } from './pass/planned-objects.ts';
import { reporting } from './pass/reporting.ts';
import { inventoryCopies, writeInventory } from './pass/write-inventory.ts';

/**
 * Removes what an earlier pass applied and this one does not want, then takes it out of both inventories. What could
 * not be removed yet stays in the inventory and is tried again with the next pass. Safe to repeat.
 */
export function pruneObsolete(deps: ActivityDependencies) {
  return async (input: InstallInput): Promise<PruneResult> =>
    reporting(deps, input, async () => {
      const resource = await openPass(deps, input);
      const planned = await planAgain(deps, resource, input.plan.digest);
      const target = await openTarget(deps, resource);
      const copies = inventoryCopies(deps, target, input);
      const inventory = await copies.target.read();
      if (inventory?.uid !== input.uid) return { removed: 0, pending: 0 };
      const obsolete = obsoleteEntries(inventory.entries, planned.objects);
      if (obsolete.length === 0) return { removed: 0, pending: 0 };
      heartbeat({ obsolete: obsolete.length });
      const mark = { uid: input.uid, anchorUID: input.claim.anchorUID };
      const first = await removeInStages(target.client, obsolete, mark);
      const { removed: later, remaining } = await verifyAbsent(target.client, first);
      const removed = [...first.removed, ...later];
      const gone = new Set(removed.map(entryKey));
      const shrunk = {
        ...inventory,
        entries: inventory.entries.filter((entry) => !gone.has(entryKey(entry))),
      };
      await writeInventory(copies, shrunk);
      return { removed: removed.length, pending: remaining.length };
    });
}
