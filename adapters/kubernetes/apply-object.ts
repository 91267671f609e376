import { coveringPattern, withoutField } from '../../domain/manifests/ceded-fields.ts';
import type { FieldPattern } from '../../domain/manifests/ceded-fields.ts';
import type { FieldSet } from '../../domain/manifests/field-set.ts';
import { fieldPaths } from '../../domain/manifests/field-set.ts';
import {
  hasLiveEnvironment,
  liveEnvironment,
  withLiveEnvironment,
} from '../../domain/manifests/live-environment.ts';
import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import { goOperatorManagers, wireNames } from '../../domain/api/wire-names.ts';
import type { ManifestObject, ObjectMeta } from '../../domain/manifests/object.ts';
import type { ClusterClient, FieldConflict, ObjectRef } from './cluster-client.ts';
import { FieldConflicts } from './field-conflicts.ts';

/** The stored object after an apply: metadata only, managedFields included. */
export interface Applied {
  readonly created: boolean;
  readonly metadata: ObjectMeta;
  /** Fields that were given up because another manager owns them, as the API server names them. */
  readonly ceded: readonly string[];
}

export interface ApplyObjectOptions {
  readonly ceded: readonly FieldPattern[];
  /** What we owned after the last apply: whoever owns it now took it from us, and has to give it back. */
  readonly recorded?: FieldSet | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Server-side apply that judges each conflict by its owner: the Go operator and kubectl yield, so does
 * whoever took a field that the last apply owned; ceded fields are given up, any other owner rejects with ApplyConflict. One request for an object without conflicts; idempotent.
 *
 * Exactly the fields in conflict are given up. A field that nobody else owns must stay in the body: left out by its only
 * owner, it is emptied. An environment that a controller set is read first and sent as it is.
 */
export type ApplyObject = (
  client: ClusterClient,
  object: ManifestObject,
  options: ApplyObjectOptions,
) => Promise<Applied>;

/** New conflicts may show up when others write meanwhile. */
const maxRounds = 6;

interface Attempt {
  readonly body: ManifestObject;
  readonly force: boolean;
  readonly ceded: readonly string[];
}

export const applyObject: ApplyObject = async (client, object, options) => {
  if (!hasLiveEnvironment(object)) return applyGivingUp(client, object, options);
  const ceded = options.ceded.filter((pattern) => pattern !== liveEnvironment);
  for (let round = 1; ; round++) {
    const live = await client.get(refOf(object), { signal: options.signal });
    const body = live === undefined ? object : withLiveEnvironment(object, live, isForeign);
    try {
      return await applyGivingUp(client, body, { ...options, ceded });
    } catch (error) {
      // Its controller may have written in between.
      if (!isOperatorError(error, 'ApplyConflict') || round === maxRounds) throw error;
    }
  }
};

const applyGivingUp: ApplyObject = async (client, object, options) => {
  let attempt: Attempt = { body: object, force: false, ceded: [] };
  for (let round = 1; ; round++) {
    const { body, force, ceded } = attempt;
    try {
      const answer = await client.apply(body, { force, metadataOnly: true, signal: options.signal });
      return { created: answer.created, metadata: answer.object.metadata, ceded };
    } catch (error) {
      const next = round === maxRounds ? undefined : nextAttempt(attempt, conflictsOf(error), options);
      if (next === undefined) throw error;
      attempt = next;
    }
  }
};

function conflictsOf(error: unknown): readonly FieldConflict[] {
  const cause = error instanceof OperatorError ? error.cause : undefined;
  return cause instanceof FieldConflicts ? cause.conflicts : [];
}

function nextAttempt(
  attempt: Attempt,
  conflicts: readonly FieldConflict[],
  options: ApplyObjectOptions,
): Attempt | undefined {
  if (attempt.force || conflicts.length === 0) return undefined;
  const taken = new Set(fieldPaths(options.recorded ?? {}));
  const foreign = conflicts
    .filter(({ field, manager }) => !yields(manager) && !taken.has(field))
    .map(({ field }) => field);
  if (foreign.length === 0) return { ...attempt, force: true };
  if (!foreign.every((field) => coveringPattern(field, options.ceded) !== undefined)) return undefined;
  const body = foreign.reduce(withoutField, attempt.body);
  return body === attempt.body ? undefined : { ...attempt, body, ceded: [...attempt.ceded, ...foreign] };
}

/** What this software itself wrote by another kind of request, a POST for example, is no other owner. */
const yielding: ReadonlySet<string> = new Set([
  ...goOperatorManagers,
  wireNames.fieldManager,
  'before-first-apply',
]);

function isForeign(manager: string): boolean {
  return manager !== wireNames.fieldManager && !yields(manager);
}

function refOf({ apiVersion, kind, metadata: { namespace, name = '' } }: ManifestObject): ObjectRef {
  return { apiVersion, kind, namespace, name };
}

function yields(manager: string): boolean {
  return yielding.has(manager) || manager.startsWith('kubectl');
}
