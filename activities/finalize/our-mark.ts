import { wireNames } from '../../domain/api/wire-names.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';

/** By what an object on a target is known as one component's. */
export interface Mark {
  readonly uid: string;
  /** Empty where objects have no anchor. */
  readonly anchorUID: string;
}

/** Whether an object carries the component's annotation or is owned by its anchor; only such objects may be deleted. */
export function isMarked(object: ManifestObject, mark: Mark): boolean {
  if (object.metadata.annotations?.[wireNames.ownerAnnotation] === mark.uid) return true;
  const owners = object.metadata.ownerReferences ?? [];
  return mark.anchorUID !== '' && owners.some((owner) => owner.uid === mark.anchorUID);
}
