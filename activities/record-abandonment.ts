import type { ComponentRef } from '../domain/api/component-ref.ts';
import { describeIdentity } from '../domain/manifests/object.ts';
import { entryIdentity } from '../domain/manifests/inventory.ts';
import type { TargetIdentity } from '../domain/lifecycle/component-state.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { toApplicationFailure } from './failure.ts';

/**
 * Records what a resource left behind whose finalizer was removed by hand. On a spoke nothing is deleted on absence
 * alone; on the hub the collector follows the resource. Idempotent.
 */
export function recordAbandonment(deps: ActivityDependencies) {
  return async (input: {
    readonly ref: ComponentRef;
    readonly uid: string;
    readonly target: TargetIdentity | undefined;
  }): Promise<void> => {
    const { ref, uid, target } = input;
    try {
      const mirror = await deps.target.mirror(ref, uid).read();
      if (mirror === undefined) return;
      await deps.hub.abandonments.write({
        ref,
        uid,
        profile: target?.profile ?? '',
        server: target?.server ?? '',
        clusterUID: target?.clusterUID ?? '',
        installNamespace: mirror.installNamespace,
        why: 'the resource disappeared from the hub: its finalizer was removed by hand',
        requestedBy: 'unknown',
        remaining: mirror.entries.map((entry) => describeIdentity(entryIdentity(entry))),
      });
    } catch (error) {
      throw toApplicationFailure(error);
    }
  };
}
