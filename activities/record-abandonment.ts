import { formatComponentRef } from '../domain/api/component-ref.ts';
import type { ComponentRef } from '../domain/api/component-ref.ts';
import { OperatorError } from '../domain/errors.ts';
import { describeIdentity } from '../domain/manifests/object.ts';
import type { Inventory } from '../domain/manifests/inventory.ts';
import { entryIdentity } from '../domain/manifests/inventory.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { toApplicationFailure } from './failure.ts';

/**
 * Records what a resource left behind whose finalizer was removed by hand. On a spoke nothing is deleted on absence
 * alone; on the hub the collector follows the resource. Refuses a resource that is still there. Idempotent.
 */
export function recordAbandonment(deps: ActivityDependencies) {
  return async (input: { readonly ref: ComponentRef; readonly uid: string }): Promise<void> => {
    const { ref, uid } = input;
    try {
      if ((await deps.hub.components.read(ref))?.uid === uid) {
        throw new OperatorError(
          'Superseded',
          `${formatComponentRef(ref)} is still there; nothing was recorded`,
        );
      }
      const mirror = await deps.target.mirror(ref, uid).read();
      if (mirror !== undefined) await deps.hub.abandonments.write({ ref, uid, ...recordOf(mirror) });
    } catch (error) {
      throw toApplicationFailure(error);
    }
  };
}

function recordOf(mirror: Inventory) {
  return {
    profile: mirror.target.profile,
    server: mirror.target.server,
    clusterUID: mirror.target.clusterUID,
    installNamespace: mirror.installNamespace,
    why: 'the resource disappeared from the hub: its finalizer was removed by hand',
    requestedBy: 'unknown',
    remaining: mirror.entries.map((entry) => describeIdentity(entryIdentity(entry))),
  };
}
