import { ApplicationFailure, Context } from '@temporalio/activity';

import { messageOf, OperatorError } from '../domain/errors.ts';
import type { ErrorKind } from '../domain/errors.ts';
import { failureReasons } from '../domain/status/reasons.ts';

const maxMessage = 1500;
/** The tries before are quick anyway, so that a failure is soon seen. */
const quickAttempts = 3;

/** The kind and a bounded message of anything an activity can throw. */
export function failureView(error: unknown): { kind: ErrorKind; message: string } {
  const kind = error instanceof OperatorError ? error.kind : 'Internal';
  return { kind, message: messageOf(error).slice(0, maxMessage) };
}

/**
 * Turns a failure into what Temporal stores: type is the kind, the message is ours, cause and stack stay out of
 * history. Kinds of class `retry` and `bug` are retried by Temporal, the others go back to the workflow at once. With
 * `dueAt` (milliseconds since the epoch) neither waits beyond it.
 */
export function toApplicationFailure(
  error: unknown,
  more: { dueAt?: number | undefined } = {},
): ApplicationFailure {
  const { kind, message } = failureView(error);
  const { retry, recheckMs } = failureReasons[kind];
  const patient = Context.current().info.attempt > quickAttempts;
  const { dueAt } = more;
  const recheck = patient ? recheckMs : undefined;
  const nextRetryDelay = dueAt === undefined ? recheck : (delayBefore(dueAt) ?? recheck);
  const failure = ApplicationFailure.create({
    message,
    type: kind,
    nonRetryable: retry === 'wait' || retry === 'restart',
    ...(dueAt === undefined ? {} : { details: [{ dueAt }] }),
    ...(nextRetryDelay === undefined ? {} : { nextRetryDelay }),
  });
  failure.stack = `${kind}: ${message}`;
  return failure;
}

/** As long as the longest pause between patient tries; only within it does a due time matter. */
const longestPauseMs = 5 * 60_000;
const firstPauseMs = 1_000;

/** A pause that ends in time; undefined while the ordinary one does. */
function delayBefore(dueAt: number): number | undefined {
  const left = dueAt - Date.now();
  if (left <= 0 || left > longestPauseMs) return undefined;
  const { attempt } = Context.current().info;
  return Math.max(firstPauseMs, Math.min(left, firstPauseMs * 2 ** Math.min(attempt, 10)));
}
