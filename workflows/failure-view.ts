import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';

import { messageOf } from '../domain/errors.ts';
import type { ErrorKind } from '../domain/errors.ts';
import type { FailureView, WorkStep } from '../domain/lifecycle/component-state.ts';
import { failureReasons } from '../domain/status/reasons.ts';

const maxMessage = 300;

/** What the state and the UI keep of a failed step. */
export function failureViewOf(error: unknown, step: WorkStep): FailureView {
  const { kind, message, dueAt } = reasonOf(error);
  const view = { kind, message: message.slice(0, maxMessage), step, since: Date.now() };
  return dueAt === undefined ? view : { ...view, dueAt };
}

/** The failure that an activity reported; a round that ran out of time carries its last one as cause. */
function reasonOf(error: unknown): { kind: ErrorKind; message: string; dueAt?: number | undefined } {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof ApplicationFailure)) continue;
    const type = cause.type ?? '';
    if (isErrorKind(type)) return { kind: type, message: cause.message, dueAt: dueAtOf(cause) };
  }
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return { kind: 'ApiTransient', message: messageOf(cause) };
}

function isErrorKind(type: string): type is ErrorKind {
  return Object.hasOwn(failureReasons, type);
}

function dueAtOf(failure: ApplicationFailure): number | undefined {
  const [detail] = failure.details ?? [];
  if (typeof detail !== 'object' || detail === null || !('dueAt' in detail)) return undefined;
  return typeof detail.dueAt === 'number' ? detail.dueAt : undefined;
}
