import { describe, expect, test } from 'vitest';

import type { RepairRecord } from '../../../domain/lifecycle/repair-backoff.ts';
import { afterRepair, isFight, nextRepairAt } from '../../../domain/lifecycle/repair-backoff.ts';

const start = 1_000_000_000_000;
const minute = 60_000;

/** Repairs as soon as they are allowed; gives the waits before each. */
function waitsOf(repairs: number): readonly number[] {
  const waits: number[] = [];
  let record: RepairRecord | undefined;
  let now = start;
  for (let repair = 0; repair < repairs; repair++) {
    const at = nextRepairAt(record, now);
    waits.push(at - now);
    now = at;
    record = afterRepair('key', record, now);
  }
  return waits;
}

function recordOf(repairs: number): RepairRecord {
  return { key: 'key', repairs, last: start };
}

describe('repairs of one object', () => {
  test('come at once three times, then wait twice as long each time, up to an hour', () => {
    const waits = waitsOf(14);
    expect(waits.slice(0, 6)).toEqual([0, 0, 0, 15_000, 30_000, 60_000]);
    expect(waits.slice(-2)).toEqual([60 * minute, 60 * minute]);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  });

  test('count as a fight only from the third on', () => {
    expect([undefined, recordOf(1), recordOf(2), recordOf(3)].map(isFight)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test('begin anew once the object was calm for long', () => {
    const later = start + 12 * minute;
    expect(nextRepairAt(recordOf(4), later)).toBe(later);
    expect(afterRepair('key', recordOf(4), later).repairs).toBe(1);
  });

  test('go on counting when a slow writer comes back within the calm time', () => {
    expect(afterRepair('key', recordOf(4), start + 9 * minute).repairs).toBe(5);
  });
});
