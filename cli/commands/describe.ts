import { Command } from 'commander';

import { componentSyntax } from '../component-argument.ts';
import type { ComponentRow } from '../fleet/component-row.ts';
import { componentRow } from '../fleet/component-row.ts';
import { recentEvents } from '../fleet/events.ts';
import type { ComponentEventView } from '../fleet/events.ts';
import { requireComponent } from '../fleet/read-fleet.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { age } from '../output/age.ts';
import { formatDocument } from '../output/documents.ts';
import { formatPairs, formatTable } from '../output/table.ts';
import { resolveComponent } from '../resolve-components.ts';
import type { Session } from '../session.ts';
import type { WorkflowView } from '../workflow/workflow-view.ts';
import type { Condition } from '../../domain/status/conditions.ts';
import { messageOf } from '../../domain/errors.ts';
import { failureReasons } from '../../domain/status/reasons.ts';
import { asStatus } from '../../domain/status/status-change.ts';

/** The documented shape of `describe -o json`. */
interface Description {
  readonly status: ComponentRow;
  readonly conditions: readonly Condition[];
  readonly workflow: WorkflowView | null;
  readonly events: readonly ComponentEventView[];
}

export function declareDescribe(invocation: Invocation): Command {
  const command = new Command('describe')
    .description('Show everything known of one component: conditions, workflow, tries under way, events.')
    .argument('<component>', componentSyntax)
    .addOption(outputOption())
    .action((component: string, options: WithOutput, self: Command) =>
      invocation.run(self, (session) => describe(session, component, options)),
    );
  return withExamples(
    command,
    'knative-fleet describe serving/platform/serving',
    'knative-fleet describe serving/platform/serving -o yaml',
  );
}

async function describe(session: Session, component: string, { output }: WithOutput): Promise<void> {
  const ref = await resolveComponent(session, component);
  const resource = await requireComponent(session, ref);
  const [workflow, events] = await Promise.all([
    workflowOrNull(session, ref),
    recentEvents(await session.hub(), resource),
  ]);
  const row = componentRow(resource, workflow === null ? null : summary(workflow));
  const conditions = asStatus(resource.status).conditions ?? [];
  const description = { status: row, conditions, workflow, events };
  session.terminal.print(
    formatDocument(output, { kind: 'ComponentDescription', ...description }) ??
      describeText(description, Date.now()),
  );
}

async function workflowOrNull(
  session: Session,
  ref: Parameters<typeof requireComponent>[1],
): Promise<WorkflowView | null> {
  const { readWorkflow } = await import('../workflow/workflow-view.ts');
  try {
    return (await readWorkflow(session, ref)) ?? null;
  } catch (error) {
    session.terminal.note(`warning: ${messageOf(error)}\n`);
    return null;
  }
}

function summary(workflow: WorkflowView) {
  const { state } = workflow.state ?? {};
  const failure = state?.failure;
  return {
    workflowId: workflow.workflowId,
    runId: workflow.runId,
    phase: workflow.state?.phase,
    reason: failure?.kind,
    plannedVersion: state?.plan?.version,
    target: state?.target?.profile,
    blockedSince: failure === undefined ? undefined : new Date(failure.since).toISOString(),
  };
}

function describeText(description: Description, now: number): string {
  const { status, conditions, workflow, events } = description;
  const since = age(status.since, now);
  const sections = [
    formatPairs([
      ['Component', status.component],
      ['UID', status.uid],
      ['Target', `${status.target}, namespace ${status.installNamespace ?? 'not recorded yet'}`],
      ['Server', status.server ?? 'not resolved yet'],
      ['Cluster UID', status.clusterUID ?? 'not resolved yet'],
      ['Version', `wanted ${status.wanted}, installed ${status.installed ?? 'none'}`],
      ['State', since === '' ? status.state : `${status.state}, since ${since}`],
      ['Waiting for', status.waitingFor ?? 'nothing'],
    ]),
    ...problem(workflow),
    `Conditions:\n${indent(formatTable(conditionColumns(now), conditions))}`,
    `Workflow:\n${indent(describeWorkflow(workflow, now))}`,
    `Events:\n${indent(events.length === 0 ? 'none' : formatTable(eventColumns(now), events))}`,
  ];
  return sections.join('\n\n');
}

function problem(workflow: WorkflowView | null): readonly string[] {
  const failure = workflow?.state?.state.failure;
  if (failure === undefined) return [];
  return [
    formatPairs([
      ['Problem', `${failure.kind} in step ${failure.step}: ${failure.message}`],
      ['What to do', failureReasons[failure.kind].advice],
    ]),
  ];
}

function describeWorkflow(workflow: WorkflowView | null, now: number): string {
  if (workflow === null) return 'none is known';
  const facts = formatPairs([
    ['Id', workflow.workflowId],
    ['Run', `${workflow.runId}, ${workflow.status.toLowerCase()}, started ${age(workflow.started, now)} ago`],
    ['History', `${String(workflow.historyEvents)} events`],
    ['Phase', workflow.state?.phase ?? workflow.stateMissing ?? ''],
    ...(workflow.state?.state.notice ? [['Note', workflow.state.state.notice] as const] : []),
  ]);
  const pending = workflow.pending.map(
    ({ step, attempt, nextTry, lastFailure }) =>
      `${step}: try ${String(attempt)}${nextTry === null ? '' : `, at ${nextTry}`}${lastFailure === null ? '' : `; last failure: ${lastFailure}`}`,
  );
  return [facts, ...pending].join('\n');
}

function conditionColumns(now: number) {
  return [
    { heading: 'TYPE', value: (condition: Condition) => condition.type },
    { heading: 'STATUS', value: (condition: Condition) => condition.status },
    { heading: 'SINCE', value: (condition: Condition) => age(condition.lastTransitionTime, now) },
    { heading: 'REASON', value: (condition: Condition) => condition.reason ?? '' },
    { heading: 'MESSAGE', value: (condition: Condition) => condition.message ?? '' },
  ];
}

function eventColumns(now: number) {
  return [
    { heading: 'LAST', value: (event: ComponentEventView) => age(event.lastTime, now) },
    { heading: 'TYPE', value: (event: ComponentEventView) => event.type },
    { heading: 'REASON', value: (event: ComponentEventView) => event.reason },
    { heading: 'COUNT', value: (event: ComponentEventView) => String(event.count) },
    { heading: 'MESSAGE', value: (event: ComponentEventView) => event.message },
  ];
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
