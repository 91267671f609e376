import type { ComponentRef } from '../api/component-ref.ts';
import type { Claim, DriftView, Plan, TargetIdentity } from './component-state.ts';

/** What every activity of a pass is told: which resource, and which state of it the pass serves. */
export interface PassInput {
  readonly ref: ComponentRef;
  readonly uid: string;
  readonly generation: number;
}

export interface ClaimInput extends PassInput {
  readonly target: TargetIdentity;
  readonly plan: Plan;
}

export interface InstallInput extends ClaimInput {
  readonly claim: Claim;
}

/** What an apply did: at most 30 names, then counts by kind. */
export interface ChangeSet {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly names: readonly string[];
  readonly more: Readonly<Record<string, number>>;
}

export interface ApplyResult extends ChangeSet {
  /** Objects of earlier passes that this one does not want. */
  readonly obsolete: number;
}

export interface AwaitInput extends InstallInput {
  /** What the workflow shows as waited for. */
  readonly shown: readonly string[];
}

export interface ReadinessView {
  readonly ready: boolean;
  /** Workloads that are not ready yet, at most 30 names. */
  readonly waitingFor: readonly string[];
}

export interface ReportInput extends PassInput {
  readonly version: string;
  /** What the pass put right. */
  readonly repaired?: DriftView | undefined;
}

/** What an observer tells a component. Fits a signal of 1 kB. */
export interface DriftReport {
  readonly uid: string;
  /** One line each, at most three. */
  readonly objects: readonly string[];
  readonly count: number;
  /** Set when earlier repairs of one of them did not hold. */
  readonly fight?: string | undefined;
}

export interface PruneResult {
  readonly removed: number;
  readonly pending: number;
}

export interface FinalizeInput {
  readonly ref: ComponentRef;
  readonly uid: string;
  /** Set for a forced cleanup: bounded, and what remains is recorded and given up. */
  readonly force?: { readonly reason: string; readonly requestedBy: string } | undefined;
}

export interface FinalizeResult {
  readonly outcome: 'clean' | 'abandoned' | 'retained' | 'deferred';
  readonly removed: number;
  readonly pending: number;
  readonly blockers: readonly string[];
}

/** A removal that goes on without its resource; the mirror of its inventory on the hub says of what. */
export interface CleanupWork {
  readonly ref: ComponentRef;
  readonly uid: string;
  /** Set when a person gives up what is left: it is recorded. */
  readonly giveUp?: { readonly reason: string; readonly requestedBy: string } | undefined;
}

export interface CleanupResult {
  readonly outcome: 'clean' | 'abandoned' | 'joined';
  readonly removed: number;
  readonly pending: number;
  /** The component on this hub that owns the target now and got the inventory. */
  readonly owner?: ComponentRef | undefined;
}
