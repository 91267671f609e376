import { wireNames } from '../../domain/api/wire-names.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';

/** By what an object on a target is known as one component's. */
export interface Mark {
  readonly uid: string;
  /** Empty where objects have no anchor. */
  readonly anchorUID: string;
  /** What the Go operator made of the component counts as well: it is being taken over. */
  readonly goOperator?: boolean;
}

/** Whether an object carries the component's annotation or is owned by its anchor; only such objects may be deleted. */
export function isMarked(object: ManifestObject, mark: Mark): boolean {
  const annotations = object.metadata.annotations ?? {};
  if (annotations[wireNames.ownerAnnotation] === mark.uid) return true;
  if (mark.goOperator === true && annotations[wireNames.goOperatorAnnotation] !== undefined) return true;
  const owners = object.metadata.ownerReferences ?? [];
  return mark.anchorUID !== '' && owners.some((owner) => owner.uid === mark.anchorUID);
}
