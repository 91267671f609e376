import type { ComponentRef } from '../domain/api/component-ref.ts';
import type { ComponentState } from '../domain/lifecycle/component-state.ts';
import { phaseOf } from '../domain/lifecycle/decide.ts';
import { failureReasons } from '../domain/status/reasons.ts';

/** What the Temporal UI shows at the top of a workflow: state, target, what it waits for and what to do. Markdown. */
export function renderDetails(ref: ComponentRef, state: ComponentState): string {
  const lines = [
    `**${phaseOf(state)}**: ${ref.kind} \`${ref.namespace}/${ref.name}\``,
    '',
    `- target: ${describeTarget(state)}`,
    `- version: ${state.plan?.version ?? 'not chosen yet'}`,
    ...drifting(state),
    ...waiting(state),
    ...failing(state),
    ...ending(state),
    ...(state.notice === '' ? [] : [`- note: ${state.notice}`]),
  ];
  return lines.join('\n');
}

function describeTarget(state: ComponentState): string {
  const { target } = state;
  if (target === undefined) return 'not resolved yet';
  return `${target.profile}, namespace \`${target.installNamespace}\`, \`${target.server}\`, Kubernetes ${target.kubernetesVersion}`;
}

function drifting({ drift }: ComponentState): string[] {
  if (drift === undefined) return [];
  const more =
    drift.count > drift.objects.length ? ` and ${String(drift.count - drift.objects.length)} more` : '';
  return [`- being repaired: ${drift.objects.join('; ')}${more}`];
}

function waiting(state: ComponentState): string[] {
  return state.waitingFor.length === 0 ? [] : [`- waiting for: ${state.waitingFor.join(', ')}`];
}

function failing(state: ComponentState): string[] {
  const { failure } = state;
  if (failure === undefined) return [];
  const since = new Date(failure.since).toISOString();
  return [
    `- problem since ${since}: **${failure.kind}**: ${failure.message}`,
    `- what to do: ${failureReasons[failure.kind].advice}`,
  ];
}

function ending(state: ComponentState): string[] {
  const { finalization: view, failure, deleting } = state;
  const giveUp =
    '- or give it up: update `forceCleanup` with `{"requestedBy": …, "reason": …}`; what stays is recorded';
  const hint = deleting && failure !== undefined && state.force === undefined ? [giveUp] : [];
  if (view === undefined) return hint;
  const blockers = view.blockers.length === 0 ? '' : `; blocked by ${view.blockers.join('; ')}`;
  return [
    `- removal: ${view.outcome}, ${String(view.removed)} removed, ${String(view.pending)} pending${blockers}`,
    ...hint,
  ];
}
