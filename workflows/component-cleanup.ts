import {
  CancellationScope,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';

import type { Activities } from '../activities/registry.ts';
import type { ComponentRef } from '../domain/api/component-ref.ts';
import type { FailureView } from '../domain/lifecycle/component-state.ts';
import { fairnessKey } from '../domain/lifecycle/fairness-key.ts';
import type { CleanupResult } from '../domain/lifecycle/pass.ts';
import { failureReasons } from '../domain/status/reasons.ts';
import { finalizeOptions } from './activity-options.ts';
import { componentWorkflowId, hubIdOfWorkflowId } from './component-workflow-id.ts';
import { failureViewOf } from './failure-view.ts';
import type { CleanupInput, ForceCleanupRequest } from './messages.ts';
import * as messages from './messages.ts';
import { searchAttributeKeys } from './search-attributes.ts';

/** Nothing but a message can help a failure that no other try heals; this is how long one may be missed. */
const lookAgainAfter = '6h';

interface CleanupRun {
  readonly input: CleanupInput;
  giveUp: ForceCleanupRequest | undefined;
  failure: FailureView | undefined;
  look: boolean;
  wake: () => void;
}

/**
 * Finishes the removal of a resource that was let go before its target was clean, days later if need be. Works from the
 * mirror of the inventory on the hub; a lost run is started again for as long as that mirror is there.
 */
export async function componentCleanup(input: CleanupInput): Promise<string> {
  const { giveUp, failure } = input;
  const run: CleanupRun = { input, giveUp, failure, look: true, wake: () => undefined };
  listen(run);
  for (;;) {
    show(run, 'Finalizing');
    // Messages that are ignored grow the history all the same.
    const due = (): boolean => run.look || workflowInfo().continueAsNewSuggested;
    if (!run.look) await condition(due, lookAgainAfter, { summary: 'wait for a change' });
    const result = await attempt(run);
    if (result !== undefined) return finish(run, result);
    if (workflowInfo().continueAsNewSuggested) await next(run);
  }
}

function listen(run: CleanupRun): void {
  const look = (): void => {
    run.look = true;
    run.wake();
  };
  setHandler(messages.targetChanged, look);
  setHandler(messages.nudge, look);
  setHandler(messages.forceCleanup, (request) => {
    if ((request?.reason ?? '').trim() === '') return;
    run.giveUp = {
      reason: request.reason.slice(0, 300),
      requestedBy: (request.requestedBy ?? '').slice(0, 100) || 'unknown',
    };
    look();
  });
}

/** One round; undefined when it failed, or when a message asks for another one. */
async function attempt(run: CleanupRun): Promise<CleanupResult | undefined> {
  const { ref, uid, profile } = run.input;
  const summary = run.giveUp === undefined ? `finish the removal from ${profile}` : 'give up what is left';
  const call = {
    summary,
    patient: run.failure !== undefined,
    fairnessKey: fairnessKey(ref, { target: { profile } }),
  };
  const scope = new CancellationScope();
  run.look = false;
  run.wake = () => scope.cancel();
  try {
    const activities = proxyActivities<Activities>(finalizeOptions(call));
    return await scope.run(() => activities.cleanUpTarget({ ref, uid, giveUp: run.giveUp }));
  } catch (error) {
    if (isCancellation(error)) {
      if (CancellationScope.current().consideredCancelled) throw error;
      return undefined;
    }
    fail(run, error);
    return undefined;
  } finally {
    run.wake = () => undefined;
  }
}

function fail(run: CleanupRun, error: unknown): void {
  const failure = failureViewOf(error, 'finalize');
  const since = run.failure?.kind === failure.kind ? run.failure.since : failure.since;
  run.failure = { ...failure, since };
  const { retry } = failureReasons[failure.kind];
  run.look ||= retry === 'retry' || retry === 'bug';
}

async function finish(run: CleanupRun, result: CleanupResult): Promise<string> {
  run.failure = undefined;
  const abandoned = result.outcome === 'abandoned';
  show(run, abandoned ? 'Abandoned' : 'Finalized');
  if (abandoned) upsertSearchAttributes([{ key: searchAttributeKeys.abandoned, value: true }]);
  if (result.owner !== undefined) await nudge(result.owner);
  return result.outcome;
}

/** The new owner prunes what joined its inventory with its next pass; without this signal, with the next comparison. */
async function nudge(owner: ComponentRef): Promise<void> {
  const id = componentWorkflowId(owner, hubIdOfWorkflowId(workflowInfo().workflowId));
  await getExternalWorkflowHandle(id)
    .signal(messages.nudge)
    .catch(() => undefined);
}

async function next({ input, giveUp, failure }: CleanupRun): Promise<never> {
  return continueAsNew<typeof componentCleanup>({ ...input, giveUp, failure });
}

function show(run: CleanupRun, phase: 'Finalizing' | 'Finalized' | 'Abandoned'): void {
  const { failure, input } = run;
  setCurrentDetails(details(run, phase));
  upsertSearchAttributes([
    { key: searchAttributeKeys.spoke, value: input.profile },
    { key: searchAttributeKeys.phase, value: phase },
    { key: searchAttributeKeys.reason, value: failure?.kind ?? null },
    { key: searchAttributeKeys.blockedSince, value: failure === undefined ? null : new Date(failure.since) },
  ]);
}

function details({ input, failure, giveUp }: CleanupRun, phase: string): string {
  const { kind, namespace, name } = input.ref;
  const lines = [
    `**${phase}**: deferred removal of ${kind} \`${namespace}/${name}\`, UID ${input.uid}`,
    '',
    `- target: ${input.profile}`,
  ];
  if (giveUp !== undefined) lines.push(`- to be given up: ${giveUp.reason} (${giveUp.requestedBy})`);
  if (failure === undefined) return lines.join('\n');
  return [
    ...lines,
    `- problem since ${new Date(failure.since).toISOString()}: **${failure.kind}**: ${failure.message}`,
    `- what to do: ${failureReasons[failure.kind].advice}`,
    '- or give it up: signal `forceCleanup` with a reason; what is left is recorded',
  ].join('\n');
}
