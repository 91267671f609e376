import { mergeAt } from '../manifests/edit.ts';
import type { Transform } from '../manifests/transform.ts';

/** Puts the labels and annotations of `spec.namespace` on every Namespace; keys that are not named there stay. */
export const namespaceConfiguration: Transform = (object, { spec }) => {
  if (object.kind !== 'Namespace') return object;
  const labelled = mergeAt(object, ['metadata', 'labels'], spec.namespace?.labels);
  return mergeAt(labelled, ['metadata', 'annotations'], spec.namespace?.annotations);
};
