import { failureReasons } from '../status/reasons.ts';
import type { Claim, Command, ComponentState, FailureView, Plan, TargetIdentity } from './component-state.ts';

/** What people, the starter and observers say. Level-triggered: any may be lost, doubled or reordered. */
export type Message =
  | { readonly type: 'resourceChanged'; readonly uid: string; readonly generation: number }
  | { readonly type: 'resourceDeleted'; readonly uid: string }
  /** An empty UID means whichever is known: the sender never saw the resource. */
  | { readonly type: 'resourceGone'; readonly uid: string }
  | { readonly type: 'lookAgain' }
  | { readonly type: 'command'; readonly command: Command }
  | { readonly type: 'resyncDue' };

/** What an activity brought back. */
export type Outcome =
  | { readonly type: 'resolved'; readonly target: TargetIdentity }
  | { readonly type: 'planned'; readonly plan: Plan }
  | { readonly type: 'claimed'; readonly claim: Claim }
  | { readonly type: 'applied' }
  | { readonly type: 'observed'; readonly ready: boolean; readonly waitingFor: readonly string[] }
  | { readonly type: 'pruned' }
  | { readonly type: 'reported' }
  | { readonly type: 'probed'; readonly drifted: boolean }
  | {
      readonly type: 'finalized';
      readonly outcome: 'running' | 'clean' | 'abandoned' | 'retained';
      readonly removed: number;
      readonly pending: number;
      readonly blockers: readonly string[];
      readonly now: number;
    }
  | { readonly type: 'abandonmentRecorded' }
  | { readonly type: 'finalizerReleased' }
  | { readonly type: 'commandRecorded' }
  | { readonly type: 'failed'; readonly failure: FailureView };

/** Applies a message. A message about another UID waits as successor until the present one has ended. */
export function receive(state: ComponentState, message: Message): ComponentState {
  switch (message.type) {
    case 'resourceChanged':
      return resourceChanged(state, message.uid, message.generation);
    case 'resourceDeleted':
      if (message.uid !== state.uid || state.deleting) return state;
      return { ...state, deleting: true, lookAgain: true };
    case 'resourceGone':
      return message.uid === state.uid || message.uid === '' ? { ...state, gone: true } : state;
    case 'lookAgain':
      return { ...state, lookAgain: true };
    case 'command':
      return command(state, message.command);
    case 'resyncDue':
      return { ...state, probe: true };
  }
}

function resourceChanged(state: ComponentState, uid: string, generation: number): ComponentState {
  if (uid !== state.uid) return { ...state, gone: true, successor: { uid, generation } };
  if (generation <= state.generation) return state;
  return { ...state, generation, lookAgain: true, step: undefined };
}

function command(state: ComponentState, wanted: Command): ComponentState {
  if (wanted.name !== 'forceCleanup') return { ...state, commands: [...state.commands, wanted] };
  if (state.force !== undefined) return state;
  const refusal = refuseForceCleanup(state, wanted);
  if (refusal !== undefined) return { ...state, notice: refusal };
  return { ...state, force: wanted, commands: [...state.commands, wanted], lookAgain: true, notice: '' };
}

/** Why a forced cleanup may not start now; undefined when it may. */
export function refuseForceCleanup(state: ComponentState, wanted: Command): string | undefined {
  if (wanted.reason.trim() === '') return 'forceCleanup was ignored: it needs a reason';
  if (!state.deleting && !state.gone) {
    return 'forceCleanup was ignored: nobody has deleted the resource; delete it first';
  }
  return undefined;
}

/** Whether a message must stop the step that runs now instead of waiting for its end. */
export function interrupts(before: ComponentState, after: ComponentState): boolean {
  if (after.gone !== before.gone || after.deleting !== before.deleting) return true;
  if (after.generation !== before.generation || after.force !== before.force) return true;
  return after.lookAgain && !before.lookAgain && (before.failure !== undefined || before.deleting);
}

/** A step that was stopped by a message left nothing to rely on: the pass begins again. */
export function interrupted(state: ComponentState): ComponentState {
  return { ...state, step: undefined };
}

/** Applies the outcome of a step. */
export function reduce(state: ComponentState, outcome: Outcome): ComponentState {
  if (outcome.type === 'failed') return failed(state, outcome.failure);
  const ok: ComponentState = { ...state, failure: undefined };
  switch (outcome.type) {
    case 'resolved':
      return { ...ok, target: outcome.target, step: 'plan', probe: false };
    case 'planned':
      return { ...ok, plan: outcome.plan, step: 'claim' };
    case 'claimed':
      return { ...ok, claim: outcome.claim, step: 'apply' };
    case 'applied':
      return { ...ok, step: 'await' };
    case 'observed':
      return { ...ok, waitingFor: outcome.waitingFor, step: outcome.ready ? 'prune' : 'await' };
    case 'pruned':
      return { ...ok, step: 'report' };
    case 'reported':
      return { ...ok, step: undefined, readyGeneration: ok.generation, waitingFor: [] };
    case 'probed':
      return { ...ok, probe: false, lookAgain: outcome.drifted || ok.lookAgain };
    case 'finalized':
      return finalized(ok, outcome);
    case 'abandonmentRecorded':
      return finalized(ok, {
        outcome: 'abandoned',
        removed: ok.finalization?.removed ?? 0,
        pending: ok.finalization?.pending ?? 0,
        blockers: [],
        now: ok.finalization?.since ?? 0,
      });
    case 'finalizerReleased':
      return { ...ok, gone: true, finalization: released(ok) };
    case 'commandRecorded':
      return { ...ok, commands: ok.commands.slice(1), lookAgain: true };
  }
}

function released(state: ComponentState): ComponentState['finalization'] {
  const view = state.finalization;
  if (view === undefined) return undefined;
  return { ...view, outcome: view.outcome === 'abandoned' ? 'abandoned' : 'clean' };
}

type Finalized = Omit<Extract<Outcome, { type: 'finalized' }>, 'type'>;

function finalized(state: ComponentState, result: Finalized): ComponentState {
  return {
    ...state,
    step: undefined,
    finalization: {
      since: state.finalization?.since ?? result.now,
      removed: (state.finalization?.removed ?? 0) + result.removed,
      pending: result.pending,
      blockers: result.blockers,
      outcome: result.outcome,
    },
  };
}

function failed(state: ComponentState, failure: FailureView): ComponentState {
  switch (failureReasons[failure.kind].retry) {
    case 'restart':
      return { ...state, step: undefined, lookAgain: true, failure: undefined };
    case 'wait':
      return { ...state, step: undefined, failure: sinceFirst(state, failure) };
    case 'retry':
    case 'bug':
      return { ...state, failure: sinceFirst(state, failure) };
  }
}

function sinceFirst(state: ComponentState, failure: FailureView): FailureView {
  return state.failure?.kind === failure.kind ? { ...failure, since: state.failure.since } : failure;
}

/** Marks the start of a step: a pass that begins has answered every wish to look again that came before. */
export function starting(state: ComponentState, step: string): ComponentState {
  if (step === 'resolve') return { ...state, step: 'resolve', lookAgain: false };
  if (step === 'finalize' || step === 'probe') return { ...state, lookAgain: false };
  return state;
}
