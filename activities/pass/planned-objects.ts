import type { ComponentResource } from '../../adapters/hub/components.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ManifestObject, OwnerReference } from '../../domain/manifests/object.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { PlannedRelease } from '../plan/planner.ts';

/** Renders again and makes sure that it is what the pass had planned. Throws PlanChanged when it is not. */
export async function planAgain(
  deps: ActivityDependencies,
  resource: ComponentResource,
  digest: string,
): Promise<PlannedRelease> {
  const planned = await deps.planner.plan(resource);
  if (planned.digest === digest) return planned;
  throw new OperatorError(
    'PlanChanged',
    `the release of ${resource.ref.name} rendered differently than planned`,
  );
}

/** The objects as they are sent: with their real owner and with our mark. */
export function owned(
  objects: readonly ManifestObject[],
  owner: OwnerReference,
  uid: string,
): readonly ManifestObject[] {
  return objects.map((object) => {
    const { annotations, ownerReferences, ...metadata } = object.metadata;
    return {
      ...object,
      metadata: {
        ...metadata,
        annotations: { ...annotations, [wireNames.ownerAnnotation]: uid },
        ...(ownerReferences === undefined ? {} : { ownerReferences: [owner] }),
      },
    };
  });
}
