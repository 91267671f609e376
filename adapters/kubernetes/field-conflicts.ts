import { listAt, stringAt } from '../../domain/manifests/object.ts';
import type { FieldConflict } from './cluster-client.ts';

/** Fields that other managers own: the cause of an ApplyConflict. */
export class FieldConflicts extends Error {
  override readonly name = 'FieldConflicts';
  readonly conflicts: readonly FieldConflict[];

  constructor(conflicts: readonly FieldConflict[]) {
    super(`${String(conflicts.length)} fields are owned by others`);
    this.conflicts = conflicts;
  }
}

/** Reads the causes of a 409 answer to a server-side apply; empty for any other conflict. */
export function fieldConflictsOf(body: unknown): readonly FieldConflict[] {
  return listAt(body, 'details', 'causes')
    .filter((cause) => stringAt(cause, 'reason') === 'FieldManagerConflict')
    .map((cause) => ({
      field: stringAt(cause, 'field') ?? '',
      manager: managerOf(stringAt(cause, 'message') ?? ''),
    }));
}

/** The message is `conflict with "<manager>" [with subresource "<name>"] using <version> [at <time>]`. */
function managerOf(message: string): string {
  return /^conflict with "((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? 'unknown';
}
