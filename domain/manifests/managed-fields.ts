import type { FieldPattern } from './ceded-fields.ts';
import type { JsonRecord, ManagedFieldsEntry } from './object.ts';
import { isRecord } from './object.ts';

export interface FieldTransfer {
  /** The manager that gets the fields; it must have applied the object already. */
  readonly to: string;
  /** Managers whose fields it gets; they are left without any. */
  readonly from: ReadonlySet<string>;
  /** Fields that become nobody's instead: they keep their value although the new owner does not send them. */
  readonly released: readonly FieldPattern[];
}

/**
 * The managed fields of an object after one manager took over those of others, so that its next apply removes what it
 * does not send. Undefined when there is nothing to take over. Fields of a subresource stay with their managers, and so
 * do those of another API version, whose names may mean something else.
 */
export function transferFields(
  entries: readonly ManagedFieldsEntry[],
  transfer: FieldTransfer,
): readonly ManagedFieldsEntry[] | undefined {
  const owner = entries.find((entry) => isOf(entry, transfer.to) && entry.operation === 'Apply');
  const taken = entries.filter(
    (entry) => transfer.from.has(entry.manager ?? '') && isWhole(entry) && sameVersion(entry, owner),
  );
  if (owner === undefined || taken.length === 0) return undefined;
  const others = taken.map((entry) => transfer.released.reduce(without, entry.fieldsV1 ?? {}));
  const fieldsV1 = others.reduce<JsonRecord>(union, owner.fieldsV1 ?? {});
  return entries
    .filter((entry) => !taken.includes(entry))
    .map((entry) => (entry === owner ? { ...owner, fieldsV1 } : entry));
}

function isOf(entry: ManagedFieldsEntry, manager: string): boolean {
  return entry.manager === manager && isWhole(entry);
}

function isWhole(entry: ManagedFieldsEntry): boolean {
  return entry.subresource === undefined || entry.subresource === '';
}

function sameVersion(entry: ManagedFieldsEntry, owner: ManagedFieldsEntry | undefined): boolean {
  return entry.apiVersion === owner?.apiVersion;
}

function union(first: JsonRecord, second: JsonRecord): JsonRecord {
  const merged: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const known = merged[key];
    merged[key] = isRecord(known) && isRecord(value) ? union(known, value) : (known ?? value);
  }
  return merged;
}

/** The set without one field, in every list element where the pattern says so. */
function without(fields: JsonRecord, pattern: FieldPattern): JsonRecord {
  return withoutPath(fields, pattern.replaceAll('[]', '.[]').split('.'));
}

function withoutPath(fields: JsonRecord, [step = '', ...rest]: readonly string[]): JsonRecord {
  const chosen = (key: string): boolean => (step === '[]' ? key.startsWith('k:') : key === `f:${step}`);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]): [string, unknown][] => {
      if (!chosen(key)) return [[key, value]];
      if (rest.length === 0) return [];
      return [[key, isRecord(value) ? withoutPath(value, rest) : value]];
    }),
  );
}
