import { mergeAt } from '../manifests/edit.ts';
import type { Transform } from '../manifests/transform.ts';

/** Merges the labels, annotations and selector of `spec.services` into the Services of that name, in any namespace. */
export const services: Transform = (object, { spec }) => {
  if (object.kind !== 'Service') return object;
  const entries = (spec.services ?? []).filter(({ name }) => name === object.metadata.name);
  return entries.reduce((current, { labels, annotations, selector }) => {
    const labelled = mergeAt(current, ['metadata', 'labels'], labels);
    const annotated = mergeAt(labelled, ['metadata', 'annotations'], annotations);
    return mergeAt(annotated, ['spec', 'selector'], selector);
  }, object);
};
