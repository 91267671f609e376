import { isOperatorError } from '../domain/errors.ts';
import type { ErrorKind } from '../domain/errors.ts';

/** What the exit code says. Scripts rely on the numbers: add, never change. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  found: 3,
  missing: 4,
  refused: 5,
  unreachable: 6,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** For help and documentation. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  failed: 'failed for another reason; the message says which',
  usage: 'the command line or a file that it names cannot be understood',
  found: '`diff` found a difference, `doctor` found something to fix',
  missing: 'the component, record or claim does not exist',
  refused: 'refused: not confirmed, or the state does not allow it',
  unreachable: 'the hub, Temporal or the target does not answer, or does not let you in',
};

/** A failure of a command itself. The message names the object, the cause and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(reason: Exclude<keyof typeof exitCodes, 'done'>, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCodes[reason];
  }
}

const exitCodeOfKind: Partial<Record<ErrorKind, ExitCode>> = {
  NotFound: exitCodes.missing,
  ResourceGone: exitCodes.missing,
  ClusterProfileNotFound: exitCodes.missing,
  SpecInvalid: exitCodes.usage,
  ReleaseUnavailable: exitCodes.usage,
  ManifestInvalid: exitCodes.usage,
  VersionNotEligible: exitCodes.refused,
  Paused: exitCodes.refused,
  GoOperatorActive: exitCodes.refused,
  Conflict: exitCodes.refused,
  ApplyRejected: exitCodes.refused,
  ApplyConflict: exitCodes.refused,
  TargetClusterConflict: exitCodes.refused,
  TargetClusterChanged: exitCodes.refused,
  HubUnavailable: exitCodes.unreachable,
  SpokeUnreachable: exitCodes.unreachable,
  SpokeForbidden: exitCodes.unreachable,
  ClusterProfileNotReady: exitCodes.unreachable,
  ClusterProfileUnavailable: exitCodes.unreachable,
  MulticlusterDisabled: exitCodes.unreachable,
  AccessProviderFailed: exitCodes.unreachable,
  RemoteClientCreationFailed: exitCodes.unreachable,
  ApiTransient: exitCodes.unreachable,
};

/** The exit code of anything that a command threw. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  return (isOperatorError(error) ? exitCodeOfKind[error.kind] : undefined) ?? exitCodes.failed;
}
