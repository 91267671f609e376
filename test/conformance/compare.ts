import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord, keyOf } from '../../domain/manifests/object.ts';
import { normalise } from './normalise.ts';

/** One field in which the two sides are not equal; undefined stands for absent. */
export interface Difference {
  /** `group/Kind/namespace/name`, or `status` for the status of the resource. */
  readonly object: string;
  /** With list indexes, such as `spec.ports[0].name`; empty for a whole object. */
  readonly path: string;
  readonly ours: unknown;
  readonly recorded: unknown;
}

/** Every field of every object in which what we left on a cluster is not what was recorded. */
export function compareObjects(
  ours: readonly ManifestObject[],
  recorded: readonly ManifestObject[],
): readonly Difference[] {
  const left = byKey(ours);
  const right = byKey(recorded);
  return [...new Set([...left.keys(), ...right.keys()])].toSorted().flatMap((object) => {
    const [mine, theirs] = [left.get(object), right.get(object)];
    if (mine === undefined || theirs === undefined) {
      return [{ object, path: '', ours: mine && 'present', recorded: theirs && 'present' }];
    }
    return compareValues(normalise(mine), normalise(theirs)).map((difference) => ({ object, ...difference }));
  });
}

/** The order of keys does not matter, that of lists does. */
export function compareValues(
  ours: unknown,
  recorded: unknown,
  path = '',
): readonly Omit<Difference, 'object'>[] {
  if (isRecord(ours) && isRecord(recorded)) {
    const fields = [...new Set([...Object.keys(ours), ...Object.keys(recorded)])];
    return fields.flatMap((field) =>
      compareValues(ours[field], recorded[field], path === '' ? field : `${path}.${field}`),
    );
  }
  if (Array.isArray(ours) && Array.isArray(recorded)) {
    const length = Math.max(ours.length, recorded.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      compareValues(ours[index], recorded[index], `${path}[${String(index)}]`),
    );
  }
  return Object.is(ours, recorded) ? [] : [{ path, ours, recorded }];
}

function byKey(objects: readonly ManifestObject[]): ReadonlyMap<string, ManifestObject> {
  return new Map(objects.map((object) => [keyOf(object), object]));
}
