import type { ErrorKind } from '../errors.ts';

/** The steps of one pass from a changed resource to Ready, in order. */
export const passSteps = ['resolve', 'plan', 'claim', 'apply', 'await', 'prune', 'report'] as const;
export type PassStep = (typeof passSteps)[number];

/** Everything a workflow can be asked to run. */
export type WorkStep =
  | PassStep
  | 'probe'
  | 'finalize'
  | 'recordAbandonment'
  | 'releaseFinalizer'
  | 'recordCommand';

/** Shown as search attribute `KnPhase`. Add, never rename. */
export type Phase =
  | 'Pending'
  | 'Resolving'
  | 'Installing'
  | 'Waiting'
  | 'Ready'
  | 'Drifted'
  | 'Blocked'
  | 'Suspended'
  | 'Finalizing'
  | 'Finalized'
  | 'Abandoned'
  | 'Deferred';

/** Where a component is installed, as resolved; holds no credential. */
export interface TargetIdentity {
  readonly clusterUID: string;
  readonly server: string;
  readonly kubernetesVersion: string;
  /** `<namespace>/<name>` of the ClusterProfile, or `local`. */
  readonly profile: string;
  readonly installNamespace: string;
}

/** What a pass is going to install: names the rendered set by digest, never carries it. */
export interface Plan {
  readonly version: string;
  readonly digest: string;
  readonly objects: number;
  readonly warnings: readonly string[];
}

/** Whose install it is on the target. */
export interface Claim {
  /** UID of the owner of namespaced objects: the anchor on a spoke, the resource locally. */
  readonly anchorUID: string;
  /** The Lease on the target does not name that owner yet. */
  readonly unnamed?: boolean;
}

export interface FailureView {
  readonly kind: ErrorKind;
  /** Bounded text, fit for the UI. */
  readonly message: string;
  readonly step: WorkStep;
  /** Milliseconds since the epoch of the first failure in a row. */
  readonly since: number;
  /** When to look again although nobody says so, milliseconds since the epoch: a deadline passes. */
  readonly dueAt?: number;
}

/** A person's command; it takes effect by an annotation on the resource, so that it outlives the workflow. */
export interface Command {
  readonly name: 'forceCleanup' | 'suspend' | 'resume';
  readonly requestedBy: string;
  readonly reason: string;
}

export interface FinalizationView {
  readonly since: number;
  readonly removed: number;
  readonly pending: number;
  readonly blockers: readonly string[];
  readonly outcome: 'running' | 'clean' | 'abandoned' | 'retained' | 'deferred';
}

/** What an observer found changed on the target, until a pass has repaired it. */
export interface DriftView {
  /** One line each, at most three. */
  readonly objects: readonly string[];
  readonly count: number;
}

/** State that a run hands to the next one at continue-as-new: small, without manifests and credentials. */
export interface ComponentState {
  readonly uid: string;
  /** Newest generation heard of. */
  readonly generation: number;
  /** Generation of the last pass that ended Ready; 0 when there was none. */
  readonly readyGeneration: number;
  /** The pass in progress and what it does next. */
  readonly step: PassStep | undefined;
  /** Somebody asked for a look although the generation is known. */
  readonly lookAgain: boolean;
  /** Passes in a row that had to begin again, without a message between them. */
  readonly restarts: number;
  /** The 6 h timer asked for a comparison. */
  readonly probe: boolean;
  readonly deleting: boolean;
  /** The resource answers 404: its finalizer was removed by hand. */
  readonly gone: boolean;
  readonly force: Command | undefined;
  readonly commands: readonly Command[];
  readonly target: TargetIdentity | undefined;
  readonly plan: Plan | undefined;
  readonly claim: Claim | undefined;
  /** How much the pass has to prune, once its apply told. */
  readonly obsolete?: number | undefined;
  readonly waitingFor: readonly string[];
  readonly drift: DriftView | undefined;
  readonly failure: FailureView | undefined;
  readonly finalization: FinalizationView | undefined;
  readonly successor: { readonly uid: string; readonly generation: number } | undefined;
  /** Why the last command or message changed nothing; shown in current details. */
  readonly notice: string;
}

export function initialState(uid: string, generation: number): ComponentState {
  return {
    uid,
    generation,
    readyGeneration: 0,
    step: undefined,
    lookAgain: false,
    restarts: 0,
    probe: false,
    deleting: false,
    gone: false,
    force: undefined,
    commands: [],
    target: undefined,
    plan: undefined,
    claim: undefined,
    waitingFor: [],
    drift: undefined,
    failure: undefined,
    finalization: undefined,
    successor: undefined,
    notice: '',
  };
}
