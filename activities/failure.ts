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
 * history. Kinds of class `retry` and `bug` are retried by Temporal, the others go back to the workflow at once.
 */
export function toApplicationFailure(error: unknown): ApplicationFailure {
  const { kind, message } = failureView(error);
  const { retry, recheckMs } = failureReasons[kind];
  const patient = Context.current().info.attempt > quickAttempts;
  const failure = ApplicationFailure.create({
    message,
    type: kind,
    nonRetryable: retry === 'wait' || retry === 'restart',
    ...(patient && recheckMs !== undefined ? { nextRetryDelay: recheckMs } : {}),
  });
  failure.stack = `${kind}: ${message}`;
  return failure;
}
