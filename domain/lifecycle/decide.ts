import { failureReasons } from '../status/reasons.ts';
import type { ComponentState, Phase, WorkStep } from './component-state.ts';

/** What the workflow does next. */
export type Decision =
  | {
      readonly do: 'run';
      readonly step: WorkStep;
      /** False: a few quick tries, so that a failure is shown soon. True: patient tries that cost no history. */
      readonly patient: boolean;
    }
  | { readonly do: 'wait' }
  | { readonly do: 'complete'; readonly outcome: 'Finalized' | 'Abandoned' | 'Deferred' };

/** Chooses the next thing to do. Pure, and total: every state has exactly one decision. */
export function decide(state: ComponentState): Decision {
  if (state.gone) return decideGone(state);
  if (state.commands.length > 0) return run(state, 'recordCommand');
  if (state.deleting) return decideFinalization(state);
  return decidePass(state);
}

function decideGone(state: ComponentState): Decision {
  const outcome = state.finalization?.outcome;
  if (outcome === 'clean' || outcome === 'retained') return { do: 'complete', outcome: 'Finalized' };
  if (outcome === 'deferred') return { do: 'complete', outcome: 'Deferred' };
  if (outcome === 'abandoned') return { do: 'complete', outcome: 'Abandoned' };
  return needsChange(state) ? { do: 'wait' } : run(state, 'recordAbandonment');
}

function decideFinalization(state: ComponentState): Decision {
  if (needsChange(state)) return { do: 'wait' };
  const outcome = state.finalization?.outcome ?? 'running';
  return run(state, outcome === 'running' ? 'finalize' : 'releaseFinalizer');
}

function decidePass(state: ComponentState): Decision {
  if (needsChange(state)) return { do: 'wait' };
  if (state.failure !== undefined && state.lookAgain) return run(state, 'resolve');
  if (state.step !== undefined) return run(state, state.step);
  if (state.generation !== state.readyGeneration || state.lookAgain) return run(state, 'resolve');
  return state.probe ? run(state, 'probe') : { do: 'wait' };
}

/** A failure that another try cannot heal; of class `restart` one is kept only after too many passes in a row. */
function needsChange(state: ComponentState): boolean {
  if (state.failure === undefined || state.lookAgain) return false;
  const { retry } = failureReasons[state.failure.kind];
  return retry === 'wait' || retry === 'restart';
}

function run(state: ComponentState, step: WorkStep): Decision {
  return { do: 'run', step, patient: state.failure?.step === step };
}

const phaseOfStep: Readonly<Record<WorkStep, Phase>> = {
  resolve: 'Resolving',
  plan: 'Resolving',
  claim: 'Installing',
  apply: 'Installing',
  await: 'Waiting',
  prune: 'Installing',
  report: 'Installing',
  probe: 'Ready',
  finalize: 'Finalizing',
  recordAbandonment: 'Finalizing',
  releaseFinalizer: 'Finalizing',
  recordCommand: 'Pending',
};

/** The phase that the UI shows for a state. */
export function phaseOf(state: ComponentState): Phase {
  const decision = decide(state);
  if (decision.do === 'complete') return decision.outcome;
  if (state.deleting || state.gone) return 'Finalizing';
  if (state.failure !== undefined) return state.failure.kind === 'Paused' ? 'Suspended' : 'Blocked';
  return decision.do === 'wait' ? 'Ready' : phaseOfWork(state, decision.step);
}

function phaseOfWork(state: ComponentState, step: WorkStep): Phase {
  if (state.drift !== undefined && phaseOfStep[step] === 'Resolving') return 'Drifted';
  const first = step === 'resolve' && state.readyGeneration === 0 && state.step === undefined;
  return first ? 'Pending' : phaseOfStep[step];
}
