import type { PassInput } from '../domain/lifecycle/pass.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { comparedEntries, compareTarget } from './observe/compare-target.ts';
import { openPass } from './pass/open-pass.ts';
import { openTarget } from './pass/open-target.ts';
import { reporting } from './pass/reporting.ts';

/**
 * Compares the target with the inventory by metadata only: whether each object is there with the UID that we recorded
 * and still has the fields that we applied. Writes nothing; a difference makes the workflow run a full pass.
 */
export function probeTarget(deps: ActivityDependencies) {
  return async (input: PassInput): Promise<{ readonly drifted: boolean }> =>
    reporting(deps, input, async () => {
      const resource = await openPass(deps, input);
      const target = await openTarget(deps, resource);
      const inventory = await deps.target.inventory(target.client, input.ref).read();
      if (inventory?.uid !== input.uid) {
        deps.drift.found(input.ref, 1);
        return { drifted: true };
      }
      const comparison = { client: target.client, kind: input.ref.kind };
      const drifts = await compareTarget(comparison, comparedEntries(inventory));
      if (drifts.length > 0) deps.drift.found(input.ref, drifts.length);
      return { drifted: drifts.length > 0 };
    });
}
