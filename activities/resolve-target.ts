import type { ComponentResource } from '../adapters/hub/components.ts';
import type { PassInput } from '../domain/lifecycle/pass.ts';
import type { TargetIdentity } from '../domain/lifecycle/component-state.ts';
import { asStatus, forgetTarget, recordTarget } from '../domain/status/status-change.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { abandonFormerCluster, isAcceptedInstead } from './finalize/abandon-former-cluster.ts';
import { findInstallationInPlace } from './pass/find-go-installation.ts';
import { openPass } from './pass/open-pass.ts';
import type { OpenTarget } from './pass/open-target.ts';
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
      const target = await openTarget(deps, resource);
      if (isAcceptedInstead(resource, target)) await leaveFormerCluster(deps, resource, target);
      const inPlace = await findInstallationInPlace(resource, target);
      return inPlace === undefined ? target.identity : keepInPlace(deps, resource, target, inPlace);
    });
}

/** Afterwards the resource is one that was never installed. */
async function leaveFormerCluster(
  deps: ActivityDependencies,
  resource: ComponentResource,
  target: OpenTarget,
): Promise<void> {
  await abandonFormerCluster(deps, resource, target);
  await deps.hub.components.updateStatus(resource.ref, resource.uid, (found) => {
    const status = asStatus(found);
    return status.target?.clusterUID === target.identity.clusterUID ? found : forgetTarget(status);
  });
}

/** The namespace is written down at once: every later step asks the status first. */
async function keepInPlace(
  deps: ActivityDependencies,
  resource: ComponentResource,
  target: OpenTarget,
  installNamespace: string,
): Promise<TargetIdentity> {
  const identity = { ...target.identity, installNamespace };
  await deps.hub.components.updateStatus(resource.ref, resource.uid, (found) =>
    recordTarget(asStatus(found), identity, { provider: target.provider }),
  );
  return identity;
}
