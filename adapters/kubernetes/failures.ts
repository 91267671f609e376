import { OperatorError } from '../../domain/errors.ts';
import type { ErrorKind } from '../../domain/errors.ts';
import { isRecord, listAt, stringAt } from '../../domain/manifests/object.ts';
import type { FieldConflict } from './cluster-client.ts';

/** What was asked, for messages: `PATCH Deployment knative-serving/controller`. */
export interface RequestSubject {
  readonly verb: string;
  readonly object: string;
  readonly server: string;
}

/** Fields that other managers own, carried by an ApplyConflict. */
export class FieldConflicts extends Error {
  override readonly name = 'FieldConflicts';
  readonly conflicts: readonly FieldConflict[];

  constructor(conflicts: readonly FieldConflict[]) {
    super(`${String(conflicts.length)} fields are owned by others`);
    this.conflicts = conflicts;
  }
}

/** Turns an answer that is not a success into an OperatorError. Bodies and credentials stay out of the message. */
export function answerFailure(subject: RequestSubject, status: number, body: unknown): OperatorError {
  const text = bounded(stringAt(body, 'message') ?? (typeof body === 'string' ? firstLine(body) : ''));
  const conflicts = status === 409 ? fieldConflicts(body) : [];
  if (conflicts.length > 0) {
    const owners = [...new Set(conflicts.map((conflict) => `${conflict.field} (${conflict.manager})`))];
    return new OperatorError(
      'ApplyConflict',
      `${subject.object} on ${subject.server}: other field managers own ${owners.slice(0, 5).join(', ')}`,
      { cause: new FieldConflicts(conflicts) },
    );
  }
  const kind = kindOfAnswer(status, body, text);
  const because = text === '' ? '' : `: ${text}`;
  return new OperatorError(
    kind,
    `${subject.verb} ${subject.object} on ${subject.server} answered ${String(status)}${because}`,
    { details: { status } },
  );
}

const kindOfStatus: Readonly<Record<number, ErrorKind>> = {
  401: 'RemoteClientCreationFailed',
  409: 'Conflict',
  410: 'Conflict',
  429: 'ApiTransient',
};

function kindOfAnswer(status: number, body: unknown, text: string): ErrorKind {
  if (status === 403) return isNamespaceTerminating(body) ? 'NamespaceTerminating' : 'SpokeForbidden';
  // An unknown API group is answered with plain text, a missing object with a Status.
  if (status === 404) return isRecord(body) ? 'NotFound' : 'KindUnavailable';
  if (status === 500) return isPermanentServerError(text) ? 'ApplyRejected' : 'ApiTransient';
  return kindOfStatus[status] ?? (status > 500 ? 'ApiTransient' : 'ApplyRejected');
}

/** Server-side apply answers 500 to what can never succeed: unknown fields, wrong types, duplicate list keys. */
function isPermanentServerError(text: string): boolean {
  return (
    text.includes('failed to create typed patch object') || text.includes('failed to convert new object')
  );
}

function isNamespaceTerminating(body: unknown): boolean {
  return listAt(body, 'details', 'causes').some(
    (cause) => stringAt(cause, 'reason') === 'NamespaceTerminating',
  );
}

function fieldConflicts(body: unknown): readonly FieldConflict[] {
  return listAt(body, 'details', 'causes')
    .filter((cause) => stringAt(cause, 'reason') === 'FieldManagerConflict')
    .map((cause) => ({
      field: stringAt(cause, 'field') ?? '',
      manager: /"([^"]+)"/.exec(stringAt(cause, 'message') ?? '')?.[1] ?? 'unknown',
    }));
}

/** Turns a failure to get any answer into an OperatorError; an abort by the caller passes through unchanged. */
export function connectionFailure(subject: RequestSubject, error: unknown): unknown {
  if (error instanceof OperatorError) return error;
  const code = codeOf(error);
  if (code === 'ABORT_ERR' || (error instanceof Error && error.name === 'AbortError')) return error;
  const kind = isTlsFailure(code, error) ? 'RemoteClientCreationFailed' : 'SpokeUnreachable';
  const cause = bounded(causeText(code, error));
  return new OperatorError(
    kind,
    `${subject.verb} ${subject.object}: ${subject.server} ${kind === 'SpokeUnreachable' ? 'cannot be reached' : 'cannot be trusted'} (${cause})`,
    { details: { code } },
  );
}

function codeOf(error: unknown): string {
  if (!isRecord(error) && !(error instanceof Error)) return '';
  const own = (error as { code?: unknown }).code;
  if (typeof own === 'string') return own;
  const cause = (error as { cause?: unknown }).cause;
  return cause === undefined ? '' : codeOf(cause);
}

const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

function isTlsFailure(code: string, error: unknown): boolean {
  return (
    tlsCodes.test(code) || (error instanceof Error && /certificate|alert|SSL routines/i.test(error.message))
  );
}

function causeText(code: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message === '' ? code : message;
}

function firstLine(text: string): string {
  return /<html|<!doctype/i.test(text) ? 'an HTML page' : (text.split('\n', 1)[0] ?? '');
}

function bounded(text: string): string {
  return text.length <= 600 ? text : `${text.slice(0, 600)}…`;
}
