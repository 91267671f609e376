import type { ChangeSet } from '../lifecycle/pass.ts';
import { boundedNames } from './bounded-names.ts';
import type { ManifestObject, ObjectMeta } from './object.ts';
import { describeIdentity, identityOf } from './object.ts';

/** One object after its apply. */
export interface AppliedObject {
  readonly object: ManifestObject;
  readonly change: 'created' | 'changed' | 'unchanged';
  /** Metadata as the server answered. */
  readonly metadata: ObjectMeta;
  /** It existed before us, so it has no owner of ours. */
  readonly adopted: boolean;
}

/** A change set that is small enough for history: the first names, then counts by kind. */
export function summarizeChanges(applied: readonly AppliedObject[]): ChangeSet {
  const touched = applied.filter((item) => item.change !== 'unchanged');
  const names = boundedNames(touched.map(({ object }) => describeIdentity(identityOf(object))));
  const more: Record<string, number> = {};
  for (const { object } of touched.slice(names.length)) more[object.kind] = (more[object.kind] ?? 0) + 1;
  const count = (change: AppliedObject['change']): number =>
    applied.filter((item) => item.change === change).length;
  return {
    created: count('created'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    names,
    more,
  };
}
