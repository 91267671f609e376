import type { RepairRecord } from '../../domain/lifecycle/repair-backoff.ts';
import { afterRepair, isCalm, isFight, nextRepairAt } from '../../domain/lifecycle/repair-backoff.ts';

/** Which objects of a target were repaired how often, for spacing out repairs that do not hold. */
export interface RepairBook {
  /** Milliseconds since the epoch; not after now when the object may be repaired at once. */
  nextAt(key: string): number;
  repairs(key: string): number;
  isFight(key: string): boolean;
  repaired(key: string): void;
  /** The most disputed ones, for a heartbeat or the next run. */
  records(limit: number): readonly RepairRecord[];
}

export function createRepairBook(known: readonly RepairRecord[]): RepairBook {
  const records = new Map(known.map((record) => [record.key, record]));
  return {
    nextAt: (key) => nextRepairAt(records.get(key), Date.now()),
    repairs: (key) => records.get(key)?.repairs ?? 0,
    isFight: (key) => isFight(records.get(key)),
    repaired(key) {
      records.set(key, afterRepair(key, records.get(key), Date.now()));
    },
    records(limit) {
      const now = Date.now();
      for (const record of records.values()) if (isCalm(record, now)) records.delete(record.key);
      return [...records.values()].toSorted((a, b) => b.repairs - a.repairs).slice(0, limit);
    },
  };
}
