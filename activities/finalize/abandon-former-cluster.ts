import type { ComponentResource } from '../../adapters/hub/components.ts';
import { asStatus } from '../../domain/status/status-change.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { OpenTarget } from '../pass/open-target.ts';
import { recordRemaining } from './record-remaining.ts';

/** Whether the target is a cluster that a person accepted in place of the one that the component was installed on. */
export function isAcceptedInstead(resource: ComponentResource, target: OpenTarget): boolean {
  const known = asStatus(resource.status).target?.clusterUID ?? '';
  return known !== '' && known !== target.identity.clusterUID;
}

/**
 * Records everything on the former cluster as left behind and forgets it; returns how many objects that are. What is on
 * the accepted cluster was never ours. Idempotent.
 */
export async function abandonFormerCluster(
  deps: ActivityDependencies,
  resource: ComponentResource,
  target: OpenTarget,
): Promise<number> {
  const mirror = deps.target.mirror(resource.ref, resource.uid);
  const recorded = await mirror.read();
  // Recorded by an earlier try: what it wrote is exact.
  if (recorded === undefined) return 0;
  const remaining = recorded.entries;
  await recordRemaining(deps, resource, {
    reason: `the cluster with UID ${target.identity.clusterUID} was accepted in its place`,
    requestedBy: 'annotation on the resource',
    remaining,
  });
  await mirror.remove();
  return remaining.length;
}
