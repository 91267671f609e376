import type { ManifestObject } from './object.ts';
import { keyOf } from './object.ts';

/**
 * The objects of a release followed by the additional ones, which replace those of equal identity as their manifests
 * name them, so before they are moved to the install namespace. Jobs without a name are told apart by generateName; the
 * Go operator takes them all for one.
 */
export function withAdditionalObjects<T extends { readonly object: ManifestObject }>(
  released: readonly T[],
  additional: readonly T[],
): readonly T[] {
  const replaced = new Set(additional.map(({ object }) => keyBeforeNaming(object)));
  return [...released.filter(({ object }) => !replaced.has(keyBeforeNaming(object))), ...additional];
}

function keyBeforeNaming(object: ManifestObject): string {
  const { name = '', generateName = '' } = object.metadata;
  return name === '' ? `${keyOf(object)}${generateName}*` : keyOf(object);
}
