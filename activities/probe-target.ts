import type { ComponentResource } from '../adapters/hub/components.ts';
import type { PassInput } from '../domain/lifecycle/pass.ts';
import { asStatus, isTrue, targetResolved } from '../domain/status/status-change.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { comparedEntries, compareTarget } from './observe/compare-target.ts';
import { openPass } from './pass/open-pass.ts';
import { openTarget } from './pass/open-target.ts';
import { reporting } from './pass/reporting.ts';
import { timestamp } from './pass/timestamp.ts';

/**
 * Compares the target with the inventory by metadata only: whether each object is there with the UID that we recorded
 * and still has the fields that we applied. Writes nothing to the target; a difference makes the workflow run a full pass.
 */
export function probeTarget(deps: ActivityDependencies) {
  return async (input: PassInput): Promise<{ readonly drifted: boolean }> =>
    reporting(deps, input, async () => {
      const resource = await openPass(deps, input);
      const target = await openTarget(deps, resource);
      await showAsUsable(deps, input, resource);
      const store = deps.target.inventory(target.client, input.ref);
      const inventory = await store.read();
      if (inventory?.uid !== input.uid || (await store.hasJoined())) {
        deps.drift.found(input.ref, 1);
        return { drifted: true };
      }
      const comparison = { client: target.client, kind: input.ref.kind };
      const drifts = await compareTarget(comparison, comparedEntries(inventory));
      if (drifts.length > 0) deps.drift.found(input.ref, drifts.length);
      return { drifted: drifts.length > 0 };
    });
}

/** An earlier try may have shown the target as unusable. */
async function showAsUsable(
  deps: ActivityDependencies,
  { ref, uid }: PassInput,
  { status }: ComponentResource,
): Promise<void> {
  if (isTrue(asStatus(status), 'TargetClusterResolved')) return;
  await deps.hub.components.updateStatus(ref, uid, (found) => targetResolved(asStatus(found), timestamp()));
}
