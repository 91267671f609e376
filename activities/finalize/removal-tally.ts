import type { ClaimRecord } from '../../domain/lifecycle/claim.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { Removal } from './remove-entries.ts';

/** What removing a component came to. */
export interface RemovalReport {
  readonly removed: number;
  readonly remaining: readonly InventoryEntry[];
  readonly blockers: readonly string[];
  readonly retained: boolean;
  /** Why namespaces that we made stay, for people. */
  readonly kept: readonly string[];
  /** Who owns the target now, when the claim names another component: nothing was deleted. */
  readonly owner?: ClaimRecord | undefined;
}

/** Adds up what the stages of a removal came to. */
export interface Tally {
  /** A removal, and what a second look at it found. */
  add(removal: Removal, checked?: Removal): void;
  removed(): number;
  isBlocked(): boolean;
  report(kept: readonly string[]): RemovalReport;
}

export function createTally(): Tally {
  let removed = 0;
  const remaining: InventoryEntry[] = [];
  const blockers: string[] = [];
  return {
    add(removal, checked) {
      removed += removal.removed.length + (checked?.removed.length ?? 0);
      remaining.push(...(checked ?? removal).remaining);
      blockers.push(...(checked ?? removal).blockers);
    },
    removed: () => removed,
    isBlocked: () => remaining.length > 0,
    report: (kept) => ({ removed, remaining, blockers, retained: false, kept }),
  };
}
