import { coveringPattern, withoutField } from '../../domain/manifests/ceded-fields.ts';
import type { FieldPattern } from '../../domain/manifests/ceded-fields.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ManifestObject, ObjectMeta } from '../../domain/manifests/object.ts';
import type { ClusterClient, FieldConflict } from './cluster-client.ts';
import { FieldConflicts } from './failures.ts';

/** The stored object after an apply: metadata only. */
export interface Applied {
  readonly created: boolean;
  readonly metadata: ObjectMeta;
  /** Fields that were given up because another manager owns them. */
  readonly ceded: readonly FieldPattern[];
}

export interface ApplyObjectOptions {
  readonly ceded: readonly FieldPattern[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Server-side apply that judges each conflict by its owner: the Go operator and kubectl yield, ceded fields are given
 * up, any other owner rejects with ApplyConflict. One request for an object without conflicts; idempotent.
 */
export type ApplyObject = (
  client: ClusterClient,
  object: ManifestObject,
  options: ApplyObjectOptions,
) => Promise<Applied>;

const maxRounds = 6;

export const applyObject: ApplyObject = async (client, object, options) => {
  let body = object;
  let force = false;
  const ceded: FieldPattern[] = [];
  for (let round = 1; ; round++) {
    try {
      const answer = await client.apply(body, { force, metadataOnly: true, signal: options.signal });
      return { created: answer.created, metadata: answer.object.metadata, ceded };
    } catch (error) {
      const conflicts = conflictsOf(error);
      if (conflicts.length === 0 || round === maxRounds) throw error;
      const patterns = patternsToCede(conflicts, options.ceded);
      if (patterns.length > 0) {
        ceded.push(...patterns);
        body = patterns.reduce(withoutField, body);
        continue;
      }
      if (force || !conflicts.every((conflict) => yields(conflict.manager))) throw error;
      force = true;
    }
  }
};

function conflictsOf(error: unknown): readonly FieldConflict[] {
  const cause = error instanceof OperatorError ? error.cause : undefined;
  return cause instanceof FieldConflicts ? cause.conflicts : [];
}

function patternsToCede(
  conflicts: readonly FieldConflict[],
  ceded: readonly FieldPattern[],
): readonly FieldPattern[] {
  const patterns = conflicts
    .filter((conflict) => !yields(conflict.manager))
    .map((conflict) => coveringPattern(conflict.field, ceded))
    .filter((pattern) => pattern !== undefined);
  return [...new Set(patterns)];
}

const yieldingManagers: ReadonlySet<string> = new Set(['manifestival', 'operator', 'before-first-apply']);

function yields(manager: string): boolean {
  return yieldingManagers.has(manager) || manager.startsWith('kubectl');
}
