import { isRecord } from './object.ts';
import type { JsonRecord } from './object.ts';

/**
 * Copies with one field changed. The input is never touched, and it is returned itself when nothing changes. A map on
 * the way that is missing, or is something else, becomes a map.
 */
export function setAt<T extends object>(target: T, path: readonly string[], value: unknown): T {
  return editAt(target, path, () => value) as T;
}

/** Adds entries to a nested map; the given ones win. */
export function mergeAt<T extends object>(
  target: T,
  path: readonly string[],
  entries: JsonRecord | undefined,
): T {
  if (entries === undefined || Object.keys(entries).length === 0) return target;
  return editAt(target, path, (old) => mergeEntries(isRecord(old) ? old : {}, entries)) as T;
}

/** Changes every element of a nested list; anything that is not a list stays. */
export function mapListAt<T extends object>(
  target: T,
  path: readonly string[],
  change: (item: unknown) => unknown,
): T {
  return editAt(target, path, (old) => (Array.isArray(old) ? mapList(old, change) : old)) as T;
}

/** Leaves a nested field out. */
export function removeAt<T extends object>(target: T, path: readonly string[]): T {
  return editAt(target, path, () => undefined) as T;
}

function editAt(target: unknown, path: readonly string[], change: (old: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(target);
  const map = isRecord(target) ? target : {};
  const old = map[key];
  const value = editAt(old, rest, change);
  if (Object.is(value, old)) return target;
  if (value !== undefined) return { ...map, [key]: value };
  const { [key]: _removed, ...others } = map;
  return others;
}

function mergeEntries(old: JsonRecord, entries: JsonRecord): JsonRecord {
  return Object.entries(entries).every(([key, value]) => Object.is(old[key], value))
    ? old
    : { ...old, ...entries };
}

function mapList(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.every((item, index) => Object.is(item, list[index])) ? list : changed;
}
