import type { PodDisruptionBudgetOverride } from '../api/component-spec.ts';
import { OperatorError } from '../errors.ts';
import { removeAt, setAt } from '../manifests/edit.ts';
import type { ManifestObject } from '../manifests/object.ts';
import type { Transform } from '../manifests/transform.ts';

/**
 * Sets one value of `spec.podDisruptionBudgets` and clears the other. An entry without either has no effect; unlike in
 * the Go operator it does not hide later entries for the same budget. Throws SpecInvalid when both are given.
 */
export const podDisruptionBudgets: Transform = (object, { spec }) =>
  object.kind === 'PodDisruptionBudget'
    ? (spec.podDisruptionBudgets ?? [])
        .filter(({ name }) => name === object.metadata.name)
        .reduce((current, entry) => withValue(current, entry), object)
    : object;

function withValue(object: ManifestObject, entry: PodDisruptionBudgetOverride): ManifestObject {
  const { name, minAvailable, maxUnavailable } = entry;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    throw new OperatorError(
      'SpecInvalid',
      `both minAvailable and maxUnavailable are set for PodDisruptionBudget ${name}`,
    );
  }
  if (minAvailable !== undefined) {
    return setAt(removeAt(object, ['spec', 'maxUnavailable']), ['spec', 'minAvailable'], minAvailable);
  }
  if (maxUnavailable !== undefined) {
    return setAt(removeAt(object, ['spec', 'minAvailable']), ['spec', 'maxUnavailable'], maxUnavailable);
  }
  return object;
}
