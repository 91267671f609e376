import type { ManifestObject } from './object.ts';
import { keyOf } from './object.ts';

/**
 * One object per identity: the last one wins as a whole, in the place of the first. Bundles repeat objects (CRDs with
 * equal content, the Namespace of every event source, `config-logging`, security-guard's `config-deployment`); the Go
 * operator applies each of them in turn, at every pass, and its three-way merge takes away what only an earlier one
 * has, so this is where its writes end.
 */
export function mergeDuplicates(objects: readonly ManifestObject[]): readonly ManifestObject[] {
  return [...new Map(objects.map((object) => [keyOf(object), object])).values()];
}
