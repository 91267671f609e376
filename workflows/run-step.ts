import { ApplicationFailure, isCancellation, proxyActivities } from '@temporalio/workflow';

import type { Activities } from '../activities/registry.ts';
import type { ComponentRef } from '../domain/api/component-ref.ts';
import type { ComponentState, Plan, TargetIdentity, WorkStep } from '../domain/lifecycle/component-state.ts';
import type { Decision } from '../domain/lifecycle/decide.ts';
import type { InstallInput, PassInput } from '../domain/lifecycle/pass.ts';
import type { Outcome } from '../domain/lifecycle/reduce.ts';
import { fairnessKey } from '../domain/lifecycle/fairness-key.ts';
import { finalizeOptions, hubOptions, targetOptions } from './activity-options.ts';
import type { TargetCall } from './activity-options.ts';
import { failureViewOf } from './failure-view.ts';

type Work = Extract<Decision, { do: 'run' }>;

/** Runs the activity of one step and tells what it brought back; a failure is an outcome, a cancellation is thrown. */
export async function runStep(ref: ComponentRef, state: ComponentState, work: Work): Promise<Outcome> {
  try {
    return await call(ref, state, work);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { type: 'failed', failure: failureViewOf(error, work.step) };
  }
}

type Call = (ref: ComponentRef, state: ComponentState, work: Work) => Promise<Outcome>;

function call(ref: ComponentRef, state: ComponentState, work: Work): Promise<Outcome> {
  return calls[work.step](ref, state, work);
}

const calls: Readonly<Record<WorkStep, Call>> = {
  async resolve(ref, state, work) {
    const activities = target({ ref, state, work }, 'find the target and prove that it answers');
    return { type: 'resolved', target: await activities.resolveTarget(passOf(ref, state)) };
  },
  async plan(ref, state, work) {
    const activities = target({ ref, state, work }, 'choose the version and render it');
    return { type: 'planned', plan: await activities.planRelease(passOf(ref, state)) };
  },
  async claim(ref, state, work) {
    const input = { ...passOf(ref, state), ...known(state) };
    return {
      type: 'claimed',
      claim: await target({ ref, state, work }, `claim ${where(state)}`).claimTarget(input),
    };
  },
  async apply(ref, state, work) {
    const { version, objects } = known(state).plan;
    const summary = `apply ${String(objects)} objects of ${version} to ${where(state)}`;
    const { obsolete } = await target({ ref, state, work }, summary).applyStages(installInput(ref, state));
    return { type: 'applied', obsolete };
  },
  async await(ref, state, work) {
    const activities = target({ ref, state, work }, `wait for the workloads on ${where(state)}`);
    return {
      type: 'observed',
      ...(await activities.awaitReady({ ...installInput(ref, state), shown: state.waitingFor })),
    };
  },
  async prune(ref, state, work) {
    await target({ ref, state, work }, 'remove what is no longer wanted').pruneObsolete(
      installInput(ref, state),
    );
    return { type: 'pruned' };
  },
  async report(ref, state) {
    const { version } = known(state).plan;
    await hub(`report ${version} as ready`).reportReady({
      ...passOf(ref, state),
      version,
      repaired: state.drift,
    });
    return { type: 'reported', generation: state.generation };
  },
  async probe(ref, state, work) {
    const activities = target({ ref, state, work }, 'compare the target with the inventory');
    return { type: 'probed', ...(await activities.probeTarget(passOf(ref, state))) };
  },
  async finalize(ref, state, work) {
    const summary = state.force === undefined ? 'remove everything in the inventory' : 'forced cleanup';
    const activities = proxyActivities<Activities>(finalizeOptions(callOf({ ref, state, work }, summary)));
    const result = await activities.finalizeTarget({ ref, uid: state.uid, force: state.force });
    return { type: 'finalized', ...result, now: Date.now() };
  },
  async recordAbandonment(ref, state) {
    await hub('record what stays behind').recordAbandonment({ ref, uid: state.uid });
    return { type: 'abandonmentRecorded', now: Date.now() };
  },
  async releaseFinalizer(ref, state) {
    await hub('release the finalizer').releaseFinalizer({ ref, uid: state.uid });
    return { type: 'finalizerReleased' };
  },
  async recordCommand(ref, state) {
    const [command] = state.commands;
    if (command !== undefined) {
      const activities = hub(`${command.name}, asked by ${command.requestedBy}`);
      await activities.recordCommand({ ref, uid: state.uid, command });
    }
    return { type: 'commandRecorded' };
  },
};

interface Running {
  readonly ref: ComponentRef;
  readonly state: ComponentState;
  readonly work: Work;
}

function target(running: Running, summary: string) {
  return proxyActivities<Activities>(targetOptions(callOf(running, summary)));
}

function callOf({ ref, state, work }: Running, summary: string): TargetCall {
  return { summary, patient: work.patient, fairnessKey: fairnessKey(ref, state) };
}

function hub(summary: string) {
  return proxyActivities<Activities>(hubOptions(summary));
}

function where(state: ComponentState): string {
  return state.target?.profile ?? 'the target';
}

function passOf(ref: ComponentRef, state: ComponentState): PassInput {
  return { ref, uid: state.uid, generation: state.generation };
}

function installInput(ref: ComponentRef, state: ComponentState): InstallInput {
  return { ...passOf(ref, state), ...known(state), claim: state.claim ?? { anchorUID: '' } };
}

/** What earlier steps of the pass brought; absent only by a defect, which restarts the pass. */
function known(state: ComponentState): { target: TargetIdentity; plan: Plan } {
  const { target: resolved, plan } = state;
  if (resolved === undefined || plan === undefined) {
    throw ApplicationFailure.nonRetryable('the pass lost what it had resolved', 'Superseded');
  }
  // Warnings are for people; they would only make every later step's arguments larger.
  return { target: resolved, plan: { ...plan, warnings: [] } };
}
