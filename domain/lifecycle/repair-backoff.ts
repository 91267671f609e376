/** How often one object had to be repaired, and when last; small enough to be handed from run to run. */
export interface RepairRecord {
  /** `Kind/namespace/name` of the component, then the object's identity. */
  readonly key: string;
  readonly repairs: number;
  /** Milliseconds since the epoch. */
  readonly last: number;
}

/** People make mistakes twice; who undoes a repair for the third time is a program. */
const promptRepairs = 3;
const firstHoldMs = 15_000;
const longestHoldMs = 3_600_000;
const calmMs = 600_000;

/** How long the next repair of an object waits after the last one, in milliseconds; it doubles up to an hour. */
function holdMs(repairs: number): number {
  if (repairs < promptRepairs) return 0;
  return Math.min(longestHoldMs, firstHoldMs * 2 ** (repairs - promptRepairs));
}

/** When an object may be repaired, milliseconds since the epoch. One that had no record, or was calm, at once. */
export function nextRepairAt(record: RepairRecord | undefined, now: number): number {
  if (record === undefined || isCalm(record, now)) return now;
  return Math.max(now, record.last + holdMs(record.repairs));
}

/** Whether repairs of the object do not hold, so that they are spaced out. */
export function isFight(record: RepairRecord | undefined): boolean {
  return record !== undefined && record.repairs >= promptRepairs;
}

/** The record after one more repair. */
export function afterRepair(key: string, record: RepairRecord | undefined, now: number): RepairRecord {
  const before = record === undefined || isCalm(record, now) ? 0 : record.repairs;
  return { key, repairs: before + 1, last: now };
}

/** An object that stayed as it is for ten minutes longer than its hold begins anew. */
export function isCalm(record: RepairRecord, now: number): boolean {
  return now - record.last > holdMs(record.repairs) + calmMs;
}
