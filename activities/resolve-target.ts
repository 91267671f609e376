import type { PassInput } from '../domain/lifecycle/pass.ts';
import type { TargetIdentity } from '../domain/lifecycle/component-state.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { openPass } from './pass/open-pass.ts';
import { openTarget } from './pass/open-target.ts';
import { reporting } from './pass/reporting.ts';

/**
 * Finds out where a component goes: ClusterProfile, health, access provider, credentials (in worker memory only) and one
 * cheap call that proves the target answers and who it is. Makes sure of the finalizer first, so that nothing is ever
 * written to a target that a deletion would forget. Safe to repeat; everything that fails is retried by Temporal.
 */
export function resolveTarget(deps: ActivityDependencies) {
  return async (pass: PassInput): Promise<TargetIdentity> =>
    reporting(deps, pass, async () => {
      const resource = await openPass(deps, pass);
      await deps.hub.components.addFinalizer(resource);
      const { identity } = await openTarget(deps, resource);
      return identity;
    });
}
