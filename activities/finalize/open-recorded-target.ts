import type { ConnectOptions } from '../../adapters/access/target-access.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Inventory } from '../../domain/manifests/inventory.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { OpenTarget } from '../pass/open-target.ts';
import { connectTarget } from '../pass/open-target.ts';

/** Connects to the cluster that an inventory is about. Any other one there is refused with TargetClusterChanged. */
export async function openRecordedTarget(
  deps: ActivityDependencies,
  inventory: Inventory,
  options: ConnectOptions = {},
): Promise<OpenTarget> {
  const { target: recorded, installNamespace } = inventory;
  const [namespace = '', name] = recorded.profile.split('/');
  const destination =
    name === undefined ? { installNamespace } : { installNamespace, profile: { namespace, name } };
  const target = await connectTarget(deps, destination, options);
  if (target.identity.clusterUID === recorded.clusterUID) return target;
  throw new OperatorError(
    'TargetClusterChanged',
    `${inventory.component} was installed on the cluster with UID ${recorded.clusterUID}, but at ` +
      `${target.identity.server} (${recorded.profile}) answers the cluster with UID ${target.identity.clusterUID}; ` +
      'nothing was removed. Restore the old cluster, or give the removal up',
  );
}
