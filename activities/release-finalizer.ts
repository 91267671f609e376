import type { ComponentRef } from '../domain/api/component-ref.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { toApplicationFailure } from './failure.ts';

/**
 * The last step: lets the hub forget the resource. Success when it is gone already or has another UID. The mirror of the
 * inventory goes too, unless the removal goes on without the resource.
 */
export function releaseFinalizer(deps: ActivityDependencies) {
  return async (input: { readonly ref: ComponentRef; readonly uid: string }): Promise<void> => {
    try {
      await deps.hub.components.releaseFinalizer(input.ref, input.uid);
      const mirror = deps.target.mirror(input.ref, input.uid);
      if (!(await mirror.isPending())) await mirror.remove();
    } catch (error) {
      throw toApplicationFailure(error);
    }
  };
}
