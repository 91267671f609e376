import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';

import type { ComponentRef } from '../domain/api/component-ref.ts';
import type { DriftReport } from '../domain/lifecycle/pass.ts';
import type { ComponentState, FailureView, Phase } from '../domain/lifecycle/component-state.ts';

/** Input of a component's workflow; `state` is what the previous run handed over at continue-as-new. */
export interface ComponentInput {
  readonly ref: ComponentRef;
  readonly uid: string;
  readonly generation: number;
  /** The resource is being deleted already: a workflow that was lost starts again with the removal. */
  readonly deleting?: boolean;
  readonly state?: ComponentState;
}

/** Input of the workflow that finishes a deferred removal; the optional parts come from the previous run. */
export interface CleanupInput {
  readonly ref: ComponentRef;
  readonly uid: string;
  /** `<namespace>/<name>` of the ClusterProfile, or `local`; for people. */
  readonly profile: string;
  readonly giveUp?: ForceCleanupRequest | undefined;
  readonly failure?: FailureView | undefined;
}

/** Names on the wire: add, never rename. Signals only say "look again"; any may be lost, doubled or reordered. */
export const resourceChanged = defineSignal<[{ uid: string; generation: number }]>('resourceChanged');
export const resourceDeleted = defineSignal<[{ uid: string }]>('resourceDeleted');
export const resourceGone = defineSignal<[{ uid: string }]>('resourceGone');
export const targetChanged = defineSignal<[{ hash: string }]>('targetChanged');
export const driftDetected = defineSignal<[DriftReport]>('driftDetected');
export const healthChanged = defineSignal<[]>('healthChanged');
export const nudge = defineSignal<[]>('nudge');

/** Commands of people: an update that answers, and a signal twin that outlives a time without workers. */
export interface ForceCleanupRequest {
  readonly reason: string;
  readonly requestedBy: string;
}

export interface ControlRequest {
  readonly requestedBy: string;
  readonly reason?: string;
}

export const forceCleanup = defineSignal<[ForceCleanupRequest]>('forceCleanup');
export const suspend = defineSignal<[ControlRequest]>('suspend');
export const resume = defineSignal<[ControlRequest]>('resume');
export const syncNow = defineSignal<[]>('syncNow');

export const forceCleanupUpdate = defineUpdate<string, [ForceCleanupRequest]>('forceCleanup');
export const suspendUpdate = defineUpdate<string, [ControlRequest]>('suspend');
export const resumeUpdate = defineUpdate<string, [ControlRequest]>('resume');
export const syncNowUpdate = defineUpdate<string, []>('syncNow');

export interface ComponentDescription {
  readonly phase: Phase;
  readonly state: ComponentState;
}

export const describe = defineQuery<ComponentDescription>('describe');
