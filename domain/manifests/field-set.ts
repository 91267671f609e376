import { wireNames } from '../api/wire-names.ts';
import type { FieldPattern } from './ceded-fields.ts';
import { coveringPattern } from './ceded-fields.ts';
import type { JsonRecord, ManagedFieldsEntry, ObjectMeta } from './object.ts';
import { isRecord } from './object.ts';

/** The fields that one manager owns in an object, in the form of `managedFields[].fieldsV1`. */
export type FieldSet = JsonRecord;

/** Marks that a manager owns the element of a list or map itself, not only what is in it. */
const itself = '.';

/**
 * What we own in an object by our last apply, without the fields that are ceded to others. The API server takes a field
 * out of it when somebody changes or removes that field, and leaves it alone otherwise.
 */
export function ownFields(metadata: ObjectMeta, ceded: readonly FieldPattern[] = []): FieldSet {
  return withoutCeded(ownEntry(metadata)?.fieldsV1 ?? {}, '', ceded);
}

function ownEntry(metadata: ObjectMeta): ManagedFieldsEntry | undefined {
  return (metadata.managedFields ?? []).find(isOwn);
}

function isOwn(entry: ManagedFieldsEntry): boolean {
  return (
    entry.manager === wireNames.fieldManager &&
    entry.operation === 'Apply' &&
    (entry.subresource ?? '') === ''
  );
}

/** The managers other than us, newest write first; those that only write status or scale are among them. */
export function otherManagers(metadata: ObjectMeta): readonly ManagedFieldsEntry[] {
  const others = (metadata.managedFields ?? []).filter((entry) => !isOwn(entry));
  return others.toSorted((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
}

function withoutCeded(set: FieldSet, path: string, ceded: readonly FieldPattern[]): FieldSet {
  if (ceded.length === 0) return set;
  const kept = Object.entries(set).flatMap(([key, value]): [string, unknown][] => {
    if (key === itself || !isRecord(value)) return [[key, value]];
    const child = path + stepOf(key);
    if (coveringPattern(child, ceded) !== undefined) return [];
    const rest = withoutCeded(value, child, ceded);
    const emptied = Object.keys(rest).length === 0 && Object.keys(value).length > 0;
    return emptied ? [] : [[key, rest]];
  });
  return Object.fromEntries(kept);
}

/** The paths of a set as the API server writes them in messages, such as `.webhooks[name="a"].rules`. */
export function fieldPaths(set: FieldSet, path = ''): readonly string[] {
  return Object.entries(set).flatMap(([key, value]) => {
    if (key === itself) return [path];
    const child = path + stepOf(key);
    const below = isRecord(value) ? fieldPaths(value, child) : [];
    return below.length === 0 ? [child] : below;
  });
}

/** The paths of `recorded` that are not in `present`, without those inside another one of the result. */
export function lostFields(recorded: FieldSet, present: FieldSet): readonly string[] {
  const kept = new Set(fieldPaths(present));
  const lost = fieldPaths(recorded).filter((path) => !kept.has(path));
  const outer = lost.toSorted((a, b) => a.length - b.length);
  return lost.filter((path) => !outer.some((other) => other !== path && isInside(path, other)));
}

/** Whether a path lies inside what another one names. */
export function isInside(path: string, outer: string): boolean {
  return path.startsWith(outer) && ['.', '['].includes(path.charAt(outer.length));
}

/** `f:name` is a field, `k:{...}` an element by its keys, `v:...` one by its value, `i:n` one by its place. */
function stepOf(key: string): string {
  const rest = key.slice(2);
  switch (key.slice(0, 2)) {
    case 'k:':
      return `[${keysOf(rest)}]`;
    case 'v:':
      return `[=${rest}]`;
    case 'i:':
      return `[${rest}]`;
    default:
      return `.${rest}`;
  }
}

function keysOf(json: string): string {
  const keys: unknown = JSON.parse(json);
  const pairs = isRecord(keys) ? Object.entries(keys) : [];
  return pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',');
}
