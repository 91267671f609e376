import type { Drift } from '../../domain/manifests/drift.ts';
import { driftOf } from '../../domain/manifests/drift.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { Sighting } from './compare-target.ts';
import { shareEntries } from './share-entries.ts';

/** An object that looked changed, and what was done about it. */
export interface Suspect {
  readonly drift: Drift;
  /** Times on the monotonic clock, milliseconds. */
  readonly since: number;
  readonly asked: number;
  readonly nextAskAt: number;
}

/** The recorded objects of one component, and those of them that were last seen changed. Keeps no live object. */
export interface DriftView {
  readonly entries: readonly InventoryEntry[];
  readonly suspects: ReadonlyMap<string, Suspect>;
  /** A pass wrote down what is to be expected from now on. */
  expect(entries: readonly InventoryEntry[]): void;
  see(sightings: readonly Sighting[]): void;
  /** Notes that a repair of these was asked for, and when to ask again should they stay as they are. */
  asked(keys: readonly string[]): void;
}

const firstAskMs = 3_000;
const longestAskMs = 600_000;

export function createDriftView(): DriftView {
  let expected = new Map<string, InventoryEntry>();
  const suspects = new Map<string, Suspect>();
  return {
    get entries() {
      return [...expected.values()];
    },
    suspects,
    expect(entries) {
      expected = shareEntries(entries);
      for (const key of suspects.keys()) if (!expected.has(key)) suspects.delete(key);
    },
    see(sightings) {
      for (const [key, metadata] of sightings) {
        const entry = expected.get(key);
        const drift = entry === undefined ? undefined : driftOf(entry, metadata);
        if (drift === undefined) suspects.delete(key);
        else suspects.set(key, { ...(suspects.get(key) ?? firstSeen()), drift });
      }
    },
    asked(keys) {
      for (const key of keys) {
        const suspect = suspects.get(key);
        if (suspect === undefined) continue;
        const wait = Math.min(longestAskMs, firstAskMs * 2 ** suspect.asked);
        suspects.set(key, { ...suspect, asked: suspect.asked + 1, nextAskAt: performance.now() + wait });
      }
    },
  };
}

function firstSeen(): Omit<Suspect, 'drift'> {
  return { since: performance.now(), asked: 0, nextAskAt: 0 };
}
