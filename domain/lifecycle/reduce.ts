import { failureReasons } from '../status/reasons.ts';
import type {
  Claim,
  Command,
  ComponentState,
  FailureView,
  PassStep,
  Plan,
  TargetIdentity,
} from './component-state.ts';
import { decide } from './decide.ts';
import type { DriftReport } from './pass.ts';

/** What people, the starter and observers say. Level-triggered: any may be lost, doubled or reordered. */
export type Message =
  | { readonly type: 'resourceChanged'; readonly uid: string; readonly generation: number }
  | { readonly type: 'resourceDeleted'; readonly uid: string }
  /** An empty UID means whichever is known: the sender never saw the resource. */
  | { readonly type: 'resourceGone'; readonly uid: string }
  | { readonly type: 'lookAgain' }
  /** Objects on the target are not as the last pass left them. */
  | { readonly type: 'driftDetected'; readonly report: DriftReport }
  /** The target answers again, or does not any more. */
  | { readonly type: 'healthChanged' }
  | { readonly type: 'command'; readonly command: Command }
  | { readonly type: 'resyncDue' };

/** What an activity brought back. */
export type Outcome =
  | { readonly type: 'resolved'; readonly target: TargetIdentity }
  | { readonly type: 'planned'; readonly plan: Plan }
  | { readonly type: 'claimed'; readonly claim: Claim }
  | { readonly type: 'applied'; readonly obsolete: number | undefined }
  | { readonly type: 'observed'; readonly ready: boolean; readonly waitingFor: readonly string[] }
  | { readonly type: 'pruned' }
  /** The generation that the pass served; a newer one may have been heard of since. */
  | { readonly type: 'reported'; readonly generation: number }
  | { readonly type: 'probed'; readonly drifted: boolean }
  | {
      readonly type: 'finalized';
      readonly outcome: 'running' | 'clean' | 'abandoned' | 'retained' | 'deferred';
      readonly removed: number;
      readonly pending: number;
      readonly blockers: readonly string[];
      readonly now: number;
    }
  | { readonly type: 'abandonmentRecorded'; readonly now: number }
  | { readonly type: 'finalizerReleased' }
  | { readonly type: 'commandRecorded' }
  | { readonly type: 'failed'; readonly failure: FailureView };

/**
 * Applies a message. A message about another UID waits as successor until the present one has ended. One that says
 * nothing new returns the same state, so that it interrupts nothing.
 */
export function receive(state: ComponentState, message: Message): ComponentState {
  const next = applyMessage(state, message);
  return next === state ? state : { ...next, restarts: 0 };
}

function applyMessage(state: ComponentState, message: Message): ComponentState {
  switch (message.type) {
    case 'resourceChanged':
      return resourceChanged(state, message.uid, message.generation);
    case 'resourceDeleted':
      return resourceDeleted(state, message.uid);
    case 'resourceGone':
      return resourceGone(state, message.uid);
    case 'lookAgain':
      return { ...state, lookAgain: true };
    case 'driftDetected':
      return drifted(state, message.report);
    case 'healthChanged':
      return healthChanged(state);
    case 'command':
      return command(state, message.command);
    case 'resyncDue':
      return resyncDue(state);
  }
}

function resourceChanged(state: ComponentState, uid: string, generation: number): ComponentState {
  if (uid !== state.uid) return succeeded(state, uid, generation);
  if (generation > state.generation) return { ...state, generation, lookAgain: true, step: undefined };
  // Sent again because the status does not acknowledge it: with nothing under way, the status must be repaired.
  const idle = generation === state.generation && !state.deleting && decide(state).do === 'wait';
  return idle ? { ...state, lookAgain: true } : state;
}

function succeeded(state: ComponentState, uid: string, generation: number): ComponentState {
  const { successor } = state;
  if (successor?.uid === uid && successor.generation >= generation) return state;
  return { ...state, gone: true, lookAgain: true, successor: { uid, generation } };
}

function resourceDeleted(state: ComponentState, uid: string): ComponentState {
  if (uid !== state.uid || state.deleting) return state;
  return { ...state, deleting: true, lookAgain: true };
}

function resourceGone(state: ComponentState, uid: string): ComponentState {
  if (state.gone || (uid !== state.uid && uid !== '')) return state;
  return { ...state, gone: true, lookAgain: true };
}

/** What waits for a change may have missed the message about it. */
function resyncDue(state: ComponentState): ComponentState {
  return state.failure === undefined ? { ...state, probe: true } : { ...state, lookAgain: true };
}

/**
 * Drift that is told while something else is under way says nothing: a pass puts it right, or changes what it was told
 * about, and the observer repeats what then remains. Only waiting for workloads would wait for ever for a lost one.
 */
function drifted(state: ComponentState, { uid, objects, count, fight }: DriftReport): ComponentState {
  if (uid !== state.uid || state.deleting || state.gone || state.failure !== undefined) return state;
  if (state.step !== 'await' && decide(state).do !== 'wait') return state;
  return { ...state, step: undefined, lookAgain: true, drift: { objects, count }, notice: fight ?? '' };
}

/** A comparison finds out; one that waits for its next try begins again. */
function healthChanged(state: ComponentState): ComponentState {
  if (state.failure?.step !== 'probe') return resyncDue(state);
  return { ...state, failure: undefined, probe: true };
}

function command(state: ComponentState, wanted: Command): ComponentState {
  if (wanted.name !== 'forceCleanup') return queued(state, wanted);
  if (state.force !== undefined) return state;
  const refusal = refuseForceCleanup(state, wanted);
  if (refusal !== undefined) return { ...state, notice: refusal };
  return { ...state, force: wanted, commands: [...state.commands, wanted], lookAgain: true, notice: '' };
}

/** So many fit into the state that a run hands to the next one. */
const maxCommands = 1_000;

/** The first may be under way. Of suspend and resume the last one counts, so the oldest behind it makes room. */
function queued(state: ComponentState, wanted: Command): ComponentState {
  const { commands } = state;
  if (commands.length < maxCommands) return { ...state, commands: [...commands, wanted] };
  const oldest = commands.findIndex(({ name }, index) => index > 0 && name !== 'forceCleanup');
  return {
    ...state,
    commands: [...commands.toSpliced(oldest, 1), wanted],
    notice: `more than ${String(maxCommands)} commands were waiting; the oldest of them were dropped`,
  };
}

/** Why a forced cleanup may not start now; undefined when it may. */
export function refuseForceCleanup(state: ComponentState, wanted: Command): string | undefined {
  if (wanted.reason.trim() === '') return 'forceCleanup was ignored: it needs a reason';
  if (!state.deleting && !state.gone) {
    return 'forceCleanup was ignored: nobody has deleted the resource; delete it first';
  }
  return undefined;
}

/** A step that runs serves these as they were when it began. */
const served = ['gone', 'deleting', 'generation', 'force', 'drift', 'failure'] as const;

/** Whether a message must stop the step that runs now instead of waiting for its end. */
export function interrupts(before: ComponentState, after: ComponentState): boolean {
  if (served.some((field) => after[field] !== before[field])) return true;
  if (before.commands.length === 0 && after.commands.length > 0) return true;
  return after.lookAgain && !before.lookAgain && (before.failure !== undefined || before.deleting);
}

/** A step that was stopped by a message left nothing to rely on: the pass begins again. */
export function interrupted(state: ComponentState): ComponentState {
  return { ...state, step: undefined };
}

type Handlers = {
  readonly [T in Outcome['type']]: (
    state: ComponentState,
    outcome: Extract<Outcome, { type: T }>,
  ) => ComponentState;
};

/** Nothing is pruned where the apply found nothing obsolete. */
function afterReady({ obsolete }: ComponentState): PassStep {
  return obsolete === 0 ? 'report' : 'prune';
}

/** What each outcome changes, beside the failure that a success ends. */
const handlers: Handlers = {
  resolved: (state, { target }) => ({ ...state, target, step: 'plan', probe: false }),
  planned: (state, { plan }) => ({ ...state, plan, step: 'claim' }),
  claimed: (state, { claim }) => ({ ...state, claim, step: 'apply' }),
  applied: (state, { obsolete }) => ({ ...state, obsolete, step: 'await' }),
  observed: (state, { ready, waitingFor }) => ({
    ...state,
    waitingFor,
    step: ready ? afterReady(state) : 'await',
  }),
  pruned: (state) => ({ ...state, step: 'report' }),
  reported: (state, { generation }) => ({
    ...state,
    step: undefined,
    readyGeneration: generation,
    waitingFor: [],
    drift: undefined,
    restarts: 0,
  }),
  probed: (state, { drifted }) => ({ ...state, probe: false, lookAgain: drifted || state.lookAgain }),
  finalized,
  abandonmentRecorded: (state, { now }) =>
    finalized(state, {
      outcome: 'abandoned',
      removed: 0,
      pending: state.finalization?.pending ?? 0,
      blockers: [],
      now,
    }),
  finalizerReleased: (state) => ({ ...state, gone: true }),
  commandRecorded: (state) => ({ ...state, commands: state.commands.slice(1), lookAgain: true }),
  failed: (state, { failure }) => failed(state, failure),
};

/** Applies the outcome of a step. */
export function reduce(state: ComponentState, outcome: Outcome): ComponentState {
  return handle(outcome.type === 'failed' ? state : { ...state, failure: undefined }, outcome);
}

function handle<T extends Outcome['type']>(
  state: ComponentState,
  outcome: Extract<Outcome, { type: T }>,
): ComponentState {
  const handler: Handlers[T] = handlers[outcome.type as T];
  return handler(state, outcome);
}

type Finalized = Omit<Extract<Outcome, { type: 'finalized' }>, 'type'>;

function finalized(state: ComponentState, result: Finalized): ComponentState {
  return {
    ...state,
    step: undefined,
    restarts: 0,
    finalization: {
      since: state.finalization?.since ?? result.now,
      removed: (state.finalization?.removed ?? 0) + result.removed,
      pending: result.pending,
      blockers: result.blockers,
      outcome: result.outcome,
    },
  };
}

/** Passes that begin again at once, before the workflow waits for a message instead. */
const maxRestarts = 3;

function failed(state: ComponentState, failure: FailureView): ComponentState {
  const { retry } = failureReasons[failure.kind];
  if (retry === 'retry' || retry === 'bug') return { ...state, failure: sinceFirst(state, failure) };
  if (failure.step === 'recordCommand') return dropCommand(state, failure);
  if (retry === 'wait') return { ...state, step: undefined, failure: sinceFirst(state, failure) };
  if (failure.kind === 'Superseded' && failure.step === 'finalize')
    return disproved(state, { deleting: false });
  if (failure.kind === 'Superseded' && failure.step === 'recordAbandonment') {
    return disproved(state, { gone: false });
  }
  const restarts = state.restarts + 1;
  if (restarts >= maxRestarts) {
    return { ...state, step: undefined, restarts, failure: sinceFirst(state, failure) };
  }
  return { ...state, step: undefined, restarts, lookAgain: true, failure: undefined };
}

/** The hub says that a message was wrong: the resource is there, or nobody deletes it. */
function disproved(state: ComponentState, truth: Partial<ComponentState>): ComponentState {
  const began = { step: undefined, failure: undefined, force: undefined, successor: undefined } as const;
  return { ...state, ...began, ...truth, lookAgain: true };
}

/** A command that cannot be recorded would be tried for ever; the person sees why it had no effect. */
function dropCommand(state: ComponentState, failure: FailureView): ComponentState {
  const [command, ...commands] = state.commands;
  const notice = `${command?.name ?? 'a command'} could not be recorded: ${failure.message}`;
  return { ...state, step: undefined, commands, notice, lookAgain: true };
}

function sinceFirst(state: ComponentState, failure: FailureView): FailureView {
  return state.failure?.kind === failure.kind ? { ...failure, since: state.failure.since } : failure;
}

/** Steps outside a pass that serve a wish to look again as well. */
const looking: ReadonlySet<string> = new Set(['finalize', 'probe', 'recordAbandonment', 'releaseFinalizer']);

/** Marks the start of a step: a pass that begins has answered every wish to look again that came before. */
export function starting(state: ComponentState, step: string): ComponentState {
  if (step === 'resolve') return { ...state, step: 'resolve', lookAgain: false };
  return looking.has(step) ? { ...state, lookAgain: false } : state;
}
