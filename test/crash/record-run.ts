import type { WorkflowHandle } from '@temporalio/client';

import { defaultLimits } from '../../adapters/kubernetes/transport.ts';
import type { AuditEvent } from '../support/audit-events.ts';
import { auditEvents } from '../support/audit-events.ts';
import type { OperatorFleet } from '../support/operator-fleet.ts';
import { scanHistories } from '../support/scan-histories.ts';
import type { ObservedSpoke } from './observed-spoke.ts';
import type { Ending, RecordedWrite, Recording, WritingActivity } from './recording.ts';

const writing: ReadonlySet<string> = new Set([
  'claimTarget',
  'applyStages',
  'pruneObsolete',
  'finalizeTarget',
  'cleanUpTarget',
]);

export interface Run {
  readonly scene: OperatorFleet;
  readonly spokes: readonly ObservedSpoke[];
  /** Name of the spoke by the name of the component. */
  readonly spokeOf: ReadonlyMap<string, string>;
  readonly endings: readonly Ending[];
}

/** Collects what the servers recorded of a run so far. */
export async function recordRun({ scene, spokes, spokeOf, endings }: Run): Promise<Recording> {
  const tokens = [scene.fleet.hub, ...scene.fleet.spokes].map(({ token }) => token);
  const hubWrites = writesOf(await auditEvents(scene.fleet.hub), isOperators);
  const { violations } = await scanHistories(scene.temporal, tokens);
  return {
    spokes: await Promise.all(
      spokes.map(async ({ cluster, seen, credentials }) => {
        const events = await auditEvents(cluster);
        return {
          name: cluster.name,
          tokens: [cluster.token],
          credentials: [...credentials],
          seen,
          writes: writesOf(events, isOperators),
          workloads: writesOf(events, isAboutWorkloads),
        };
      }),
    ),
    statusWrites: hubWrites
      .filter(({ resource }) => resource === 'knativeservings/status')
      .map((write) => ({ ...write, spoke: spokeOf.get(write.name) ?? '' })),
    activities: await writingActivities(scene),
    endings,
    inHistories: violations,
    limits: defaultLimits,
  };
}

/** What the operator wrote to a cluster since a time, in milliseconds since the epoch. */
export async function writesSince(spoke: ObservedSpoke, since: number): Promise<readonly RecordedWrite[]> {
  const writes = writesOf(await auditEvents(spoke.cluster), isOperators);
  return writes.filter(({ at, resource }) => at >= since && !resource.endsWith('reviews'));
}

function isOperators({ userAgent }: AuditEvent): boolean {
  return userAgent?.startsWith('knative-fleet') ?? false;
}

function isAboutWorkloads({ objectRef }: AuditEvent): boolean {
  return objectRef?.resource === 'deployments' && objectRef.subresource === 'status';
}

const writeVerbs = ['create', 'update', 'patch', 'delete'] as const;

function writesOf(
  events: readonly AuditEvent[],
  wanted: (event: AuditEvent) => boolean,
): readonly RecordedWrite[] {
  return events
    .filter((event) => wanted(event) && !/[?&]dryRun=/.test(event.requestURI))
    .flatMap((event): RecordedWrite[] => {
      const verb = writeVerbs.find((candidate) => candidate === event.verb);
      return verb === undefined ? [] : [{ verb, ...subjectOf(event), ...bodiesOf(event) }];
    });
}

function subjectOf({ objectRef }: AuditEvent): Pick<RecordedWrite, 'resource' | 'namespace' | 'name'> {
  const { resource = '', subresource = '', namespace = '', name = '' } = objectRef ?? {};
  return { resource: subresource === '' ? resource : `${resource}/${subresource}`, namespace, name };
}

function bodiesOf(event: AuditEvent): Pick<RecordedWrite, 'at' | 'status' | 'sent' | 'answer'> {
  return {
    at: Date.parse(event.requestReceivedTimestamp),
    status: event.responseStatus?.code ?? 0,
    sent: event.requestObject ?? {},
    answer: event.responseObject ?? {},
  };
}

async function writingActivities({ temporal }: OperatorFleet): Promise<readonly WritingActivity[]> {
  const found: WritingActivity[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const [component] = /Knative\w+\/[^/]+\/[^/]+/.exec(workflowId) ?? [];
    if (component === undefined) continue;
    found.push(...(await activitiesOf(temporal.workflow.getHandle(workflowId, runId), component)));
  }
  return found;
}

async function activitiesOf(handle: WorkflowHandle, component: string): Promise<WritingActivity[]> {
  const events = (await handle.fetchHistory()).events ?? [];
  const names = new Map<string, string>();
  const starts = new Map<string, number>();
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled) names.set(String(event.eventId), scheduled.activityType?.name ?? '');
    const started = event.activityTaskStartedEventAttributes;
    if (started) starts.set(String(started.scheduledEventId), timeOf(event));
  }
  return events.flatMap((event): WritingActivity[] => {
    const id = String(endOf(event)?.scheduledEventId);
    const [activity, from] = [names.get(id) ?? '', starts.get(id)];
    return from === undefined || !writing.has(activity)
      ? []
      : [{ component, activity, from, to: timeOf(event) }];
  });
}

type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

function timeOf({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1e6;
}

function endOf(event: HistoryEvent) {
  return (
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes
  );
}
