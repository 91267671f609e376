import { ActivityFailure, ApplicationFailure, isCancellation, proxyActivities } from '@temporalio/workflow';

import type { Activities } from '../activities/registry.ts';
import type { ComponentRef } from '../domain/api/component-ref.ts';
import type { ErrorKind } from '../domain/errors.ts';
import type {
  Claim,
  ComponentState,
  FailureView,
  Plan,
  TargetIdentity,
} from '../domain/lifecycle/component-state.ts';
import type { Decision } from '../domain/lifecycle/decide.ts';
import type { Outcome } from '../domain/lifecycle/reduce.ts';
import { failureReasons } from '../domain/status/reasons.ts';
import { finalizeOptions, hubOptions, targetOptions } from './activity-options.ts';

type Work = Extract<Decision, { do: 'run' }>;

/** Runs the activity of one step and tells what it brought back; a failure is an outcome, a cancellation is thrown. */
export async function runStep(ref: ComponentRef, state: ComponentState, work: Work): Promise<Outcome> {
  try {
    return await call(ref, state, work);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { type: 'failed', failure: failureViewOf(error, work) };
  }
}

async function call(ref: ComponentRef, state: ComponentState, work: Work): Promise<Outcome> {
  switch (work.step) {
    case 'resolve':
    case 'plan':
    case 'claim':
    case 'apply':
    case 'await':
    case 'prune':
    case 'report':
    case 'probe':
      return passStep(ref, state, work);
    case 'finalize':
    case 'recordAbandonment':
    case 'releaseFinalizer':
      return endingStep(ref, state, work);
    case 'recordCommand':
      return recordCommand(ref, state);
  }
}

async function passStep(ref: ComponentRef, state: ComponentState, work: Work): Promise<Outcome> {
  const pass = { ref, uid: state.uid, generation: state.generation };
  const on = (summary: string) => proxyActivities<Activities>(targetOptions(summary, work.patient));
  const where = state.target?.profile ?? 'the target';
  switch (work.step) {
    case 'resolve':
      return {
        type: 'resolved',
        target: await on('find the target and prove that it answers').resolveTarget(pass),
      };
    case 'plan':
      return { type: 'planned', plan: await on('choose the version and render it').planRelease(pass) };
    case 'claim': {
      const input = { ...pass, target: known(state).target, plan: known(state).plan };
      return { type: 'claimed', claim: await on(`claim ${where}`).claimTarget(input) };
    }
    case 'apply': {
      const { version, objects } = known(state).plan;
      await on(`apply ${String(objects)} objects of ${version} to ${where}`).applyStages(
        installInput(pass, state),
      );
      return { type: 'applied' };
    }
    case 'await': {
      const view = await on(`wait for the workloads on ${where}`).awaitReady(installInput(pass, state));
      return { type: 'observed', ...view };
    }
    case 'prune':
      await on('remove what is no longer wanted').pruneObsolete(installInput(pass, state));
      return { type: 'pruned' };
    case 'report': {
      const hub = proxyActivities<Activities>(hubOptions(`report ${known(state).plan.version} as ready`));
      await hub.reportReady({ ...pass, version: known(state).plan.version });
      return { type: 'reported' };
    }
    default:
      return { type: 'probed', ...(await on('compare the target with the inventory').probeTarget(pass)) };
  }
}

function installInput<T extends object>(
  pass: T,
  state: ComponentState,
): T & { target: TargetIdentity; plan: Plan; claim: Claim } {
  const { target, plan, claim } = known(state);
  return { ...pass, target, plan, claim };
}

/** What earlier steps of the pass brought; absent only by a defect, which restarts the pass. */
function known(state: ComponentState): { target: TargetIdentity; plan: Plan; claim: Claim } {
  const { target, plan } = state;
  if (target === undefined || plan === undefined) {
    throw ApplicationFailure.nonRetryable('the pass lost what it had resolved', 'Superseded');
  }
  return { target, plan, claim: state.claim ?? { anchorUID: '' } };
}

async function endingStep(ref: ComponentRef, state: ComponentState, work: Work): Promise<Outcome> {
  const input = { ref, uid: state.uid };
  if (work.step === 'finalize') {
    const summary = state.force === undefined ? 'remove everything in the inventory' : 'forced cleanup';
    const activities = proxyActivities<Activities>(finalizeOptions(summary, work.patient));
    const result = await activities.finalizeTarget({ ...input, force: state.force });
    return { type: 'finalized', ...result, now: Date.now() };
  }
  if (work.step === 'releaseFinalizer') {
    await proxyActivities<Activities>(hubOptions('release the finalizer')).releaseFinalizer(input);
    return { type: 'finalizerReleased' };
  }
  const hub = proxyActivities<Activities>(hubOptions('record what stays behind'));
  await hub.recordAbandonment({ ...input, target: state.target });
  return { type: 'abandonmentRecorded' };
}

async function recordCommand(ref: ComponentRef, state: ComponentState): Promise<Outcome> {
  const [command] = state.commands;
  if (command !== undefined) {
    const hub = proxyActivities<Activities>(hubOptions(`${command.name}, asked by ${command.requestedBy}`));
    await hub.recordCommand({ ref, uid: state.uid, command });
  }
  return { type: 'commandRecorded' };
}

const maxMessage = 300;

function failureViewOf(error: unknown, work: Work): FailureView {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? (cause.type ?? '') : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  return {
    kind: isErrorKind(type) ? type : 'ApiTransient',
    message: message.slice(0, maxMessage),
    step: work.step,
    since: Date.now(),
  };
}

function isErrorKind(type: string): type is ErrorKind {
  return type in failureReasons;
}
