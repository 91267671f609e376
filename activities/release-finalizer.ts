import type { ComponentRef } from '../domain/api/component-ref.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { toApplicationFailure } from './failure.ts';

/** The last step: lets the hub forget the resource. Success when it is gone already or has another UID. */
export function releaseFinalizer(deps: ActivityDependencies) {
  return async (input: { readonly ref: ComponentRef; readonly uid: string }): Promise<void> => {
    try {
      await deps.hub.components.releaseFinalizer(input.ref, input.uid);
      await deps.target.mirror(input.ref, input.uid).remove();
    } catch (error) {
      throw toApplicationFailure(error);
    }
  };
}
