import type { FieldSet } from './field-set.ts';
import { fieldPaths, isInside, lostFields, otherManagers, ownFields } from './field-set.ts';
import type { InventoryEntry } from './inventory.ts';
import { entryIdentity } from './inventory.ts';
import type { ObjectMeta } from './object.ts';
import { describeIdentity } from './object.ts';

/** One object that is not any more as the last pass left it. */
export interface Drift {
  readonly entry: InventoryEntry;
  /** `replaced`: an object of this name that is another one. */
  readonly change: 'deleted' | 'replaced' | 'edited';
  /** Fields of ours that somebody changed or removed, as the API server names them. */
  readonly fields: readonly string[];
  /** Who did, as far as the object tells. */
  readonly managers: readonly string[];
}

/**
 * Compares one recorded object with its live metadata; undefined when nothing of ours changed. Fields that others
 * added, status, ceded fields and shared ownership are no drift. What is being deleted counts once it is gone.
 */
export function driftOf(entry: InventoryEntry, found: ObjectMeta | undefined): Drift | undefined {
  // Without a UID it was never applied; a Job that is done expires.
  if (entry.done !== undefined || entry.uid === undefined) return undefined;
  if (found === undefined) return { entry, change: 'deleted', fields: [], managers: [] };
  if (found.deletionTimestamp !== undefined) return undefined;
  if (found.uid !== entry.uid) return { entry, change: 'replaced', fields: [], managers: writersOf(found) };
  const fields = entry.fields === undefined ? [] : lostFields(entry.fields, ownFields(found));
  return fields.length === 0
    ? undefined
    : { entry, change: 'edited', fields, managers: takersOf(found, fields) };
}

/** Owners of the fields now; for a field that was removed nobody is, so then the newest writer. */
function takersOf(metadata: ObjectMeta, fields: readonly string[]): readonly string[] {
  const others = otherManagers(metadata).filter(({ subresource }) => subresource !== 'status');
  const owners = others.filter(({ fieldsV1 }) => overlaps(fieldsV1 ?? {}, fields));
  return unique((owners.length > 0 ? owners : others.slice(0, 1)).map(({ manager }) => manager ?? 'unknown'));
}

function overlaps(set: FieldSet, fields: readonly string[]): boolean {
  const paths = fieldPaths(set);
  return fields.some((field) =>
    paths.some((path) => path === field || isInside(path, field) || isInside(field, path)),
  );
}

function writersOf(metadata: ObjectMeta): readonly string[] {
  const others = otherManagers(metadata).filter(({ subresource }) => subresource !== 'status');
  return unique(others.map(({ manager }) => manager ?? 'unknown'));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].slice(0, 3);
}

const maxFields = 5;
const maxText = 240;

/** One line for events and the UI: object, what happened, fields, and who did it. At most 240 characters. */
export function describeDrift({ entry, change, fields, managers }: Drift): string {
  const more = fields.length > maxFields ? ` and ${String(fields.length - maxFields)} more` : '';
  const what = fields.length === 0 ? '' : ` ${fields.slice(0, maxFields).join(', ')}${more}`;
  const who = managers.length === 0 ? '' : ` by ${managers.join(', ')}`;
  const text = `${describeIdentity(entryIdentity(entry))} was ${change}${who}${what === '' ? '' : `:${what}`}`;
  return text.length <= maxText ? text : `${text.slice(0, maxText - 1)}…`;
}
