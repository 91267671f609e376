import { isRecord, recordAt, stringAt } from '../../domain/manifests/object.ts';
import { timeOf } from '../workflow/protobuf-time.ts';
import { describeStep } from './describe-step.ts';
import { firstValue } from './history-event.ts';
import type { HistoryEvent } from './history-event.ts';

/** One line of a component's history; the fields are the documented shape of `-o json`. */
export interface HistoryEntry {
  readonly time: string;
  readonly runId: string;
  /** `namespace/name` of the ClusterProfile, or `local`; null before it was resolved. */
  readonly target: string | null;
  /** Name of the activity, or of the command that a person sent. */
  readonly step: string;
  readonly outcome: 'done' | 'failed' | 'cancelled' | 'running' | 'asked' | 'ended';
  /** Whether it wrote to a cluster. */
  readonly wrote: boolean;
  readonly what: string;
  /** The result of the step as the workflow has it: counts and names, never a manifest. */
  readonly result: unknown;
}

interface Scheduled {
  readonly step: string;
  readonly time: string;
  readonly input: unknown;
}

interface Reading {
  readonly runId: string;
  readonly scheduled: Map<string, Scheduled>;
  target: string | null;
}

const commands: ReadonlySet<string> = new Set(['forceCleanup', 'suspend', 'resume', 'syncNow']);

/** What one run did, in the order in which it ended; steps under way come last. */
export function historyEntries(events: readonly HistoryEvent[], runId: string): readonly HistoryEntry[] {
  const reading: Reading = { runId, scheduled: new Map(), target: null };
  const ended = events.flatMap((event) => readEvent(reading, event) ?? []);
  const running = [...reading.scheduled.values()].map((step) =>
    entryOf(reading, { ...step, outcome: 'running', what: 'under way', wrote: false }),
  );
  return [...ended, ...running];
}

function readEvent(reading: Reading, event: HistoryEvent): HistoryEntry | undefined {
  const time = timeOf(event.eventTime) ?? '';
  noteStart(reading, event, time);
  return (
    endOfStep(reading, event, time) ?? personsWord(reading, event, time) ?? endOfRun(reading, event, time)
  );
}

function noteStart(reading: Reading, event: HistoryEvent, time: string): void {
  const started = event.workflowExecutionStartedEventAttributes;
  if (started) {
    reading.target = stringAt(firstValue(started.input), 'state', 'target', 'profile') ?? null;
  }
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (!scheduled) return;
  const step = scheduled.activityType?.name ?? '';
  reading.scheduled.set(String(event.eventId), { step, time, input: firstValue(scheduled.input) });
}

function endOfStep(reading: Reading, event: HistoryEvent, time: string): HistoryEntry | undefined {
  const completed = event.activityTaskCompletedEventAttributes;
  const failed = event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes;
  const end = completed ?? failed ?? event.activityTaskCanceledEventAttributes;
  const key = String(end?.scheduledEventId);
  const scheduled = reading.scheduled.get(key);
  if (!end || scheduled === undefined) return undefined;
  reading.scheduled.delete(key);
  return completed
    ? completedStep(reading, scheduled, { time, result: firstValue(completed.result) })
    : brokenStep(reading, scheduled, { time, failure: failed?.failure });
}

function completedStep(
  reading: Reading,
  { step, input }: Scheduled,
  { time, result }: { time: string; result: unknown },
): HistoryEntry {
  if (step === 'resolveTarget') reading.target = stringAt(result, 'profile') ?? null;
  return entryOf(reading, { ...describeStep(step, result, input), step, time, outcome: 'done', result });
}

function brokenStep(
  reading: Reading,
  { step }: Scheduled,
  { time, failure }: { time: string; failure: unknown },
): HistoryEntry {
  const cancelled = failure === undefined || failure === null;
  const what = cancelled ? 'stopped by a message or a command' : failureText(failure);
  return entryOf(reading, { step, time, outcome: cancelled ? 'cancelled' : 'failed', what, wrote: false });
}

function personsWord(reading: Reading, event: HistoryEvent, time: string): HistoryEntry | undefined {
  const request = requestIn(event);
  if (request === undefined) return undefined;
  const { step, by, reason } = request;
  const what = [by === '' ? 'asked' : `asked by ${by}`, reason].filter(Boolean).join(': ');
  return entryOf(reading, { step, time, outcome: 'asked', what, wrote: false });
}

/** Commands come as signals or as updates; what the starter sends is no command. */
function requestIn(event: HistoryEvent): { step: string; by: string; reason: string } | undefined {
  const { name, input } = messageIn(event);
  if (!commands.has(name)) return undefined;
  const request = firstValue(input);
  const by = stringAt(request, 'requestedBy') ?? '';
  return { step: name, by, reason: stringAt(request, 'reason') ?? '' };
}

function messageIn(event: HistoryEvent): { name: string; input: Parameters<typeof firstValue>[0] } {
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal) return { name: signal.signalName ?? '', input: signal.input };
  const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
  return { name: update?.name ?? '', input: update?.args };
}

function endOfRun(reading: Reading, event: HistoryEvent, time: string): HistoryEntry | undefined {
  const completed = event.workflowExecutionCompletedEventAttributes;
  if (completed) {
    const result = firstValue(completed.result);
    const what = typeof result === 'string' ? result : '';
    return entryOf(reading, { step: 'workflow', time, outcome: 'ended', what, wrote: false });
  }
  if (!event.workflowExecutionTerminatedEventAttributes) return undefined;
  const what = 'terminated; the starter starts it again';
  return entryOf(reading, { step: 'workflow', time, outcome: 'ended', what, wrote: false });
}

type Draft = Omit<HistoryEntry, 'runId' | 'target' | 'result'> & { readonly result?: unknown };

function entryOf(
  { runId, target }: Reading,
  { time, step, outcome, wrote, what, result }: Draft,
): HistoryEntry {
  return { time, runId, target, step, outcome, wrote, what, result: result ?? null };
}

/** The failure as the activity reported it, with its kind. */
function failureText(failure: unknown): string {
  const cause = recordAt(failure, 'cause');
  const inner = isRecord(failure) && cause['message'] !== undefined ? cause : failure;
  const kind = stringAt(inner, 'applicationFailureInfo', 'type') ?? '';
  const message = stringAt(inner, 'message') ?? '';
  return kind === '' ? message : `${kind}: ${message}`;
}
