import { OperatorError } from '../../domain/errors.ts';
import type { ErrorDetails, ErrorKind } from '../../domain/errors.ts';
import { isRecord, listAt, stringAt } from '../../domain/manifests/object.ts';
import { isConnectFailure } from './connector.ts';
import { fieldConflictsOf, FieldConflicts } from './field-conflicts.ts';

/** What was asked, for messages: `PATCH Deployment knative-serving/controller`. */
export interface RequestSubject {
  readonly verb: string;
  readonly object: string;
  readonly server: string;
}

/** Turns an answer that is not a success into an OperatorError. Bodies and credentials stay out of the message. */
export function answerFailure(subject: RequestSubject, status: number, body: unknown): OperatorError {
  const conflicts = status === 409 ? fieldConflictsOf(body) : [];
  if (conflicts.length > 0) {
    const owned = [...new Set(conflicts.map((conflict) => `${conflict.field} (${conflict.manager})`))];
    const more = owned.length > 5 ? ` and ${String(owned.length - 5)} more` : '';
    return new OperatorError(
      'ApplyConflict',
      `${subject.object} on ${subject.server}: other field managers own ${owned.slice(0, 5).join(', ')}${more}; ` +
        'let them release these fields, or leave the fields out here',
      { cause: new FieldConflicts(conflicts), details: { status } },
    );
  }
  const text = bounded(answerText(subject, body));
  const because = text === '' ? '' : `: ${text}`;
  const kind = kindOfAnswer(status, body, text);
  const advice =
    kind === 'RemoteClientCreationFailed' && status !== 401
      ? '; this is no answer of a Kubernetes API server, correct the address'
      : '';
  return new OperatorError(
    kind,
    `${subject.verb} ${subject.object} on ${subject.server} answered ${String(status)}${because}${advice}`,
    { details: { status, ...(status === 422 ? immutableFields(body) : {}) } },
  );
}

/** `immutable` names the fields that can never be changed, if that is all that is wrong. */
function immutableFields(body: unknown): ErrorDetails {
  const causes = listAt(body, 'details', 'causes');
  const fields = causes.flatMap((cause) =>
    stringAt(cause, 'message')?.endsWith('field is immutable') === true
      ? [stringAt(cause, 'field') ?? '']
      : [],
  );
  return fields.length > 0 && fields.length === causes.length ? { immutable: fields.join(', ') } : {};
}

/** The server's own words; of a Secret only which fields, because the words may quote values. */
function answerText(subject: RequestSubject, body: unknown): string {
  if (typeof body === 'string') return firstLine(body);
  const { immutable } = immutableFields(body);
  // The server's words begin with the whole value and end, out of sight, with what is wrong with it.
  if (immutable !== undefined) return `${String(immutable)} cannot be changed: field is immutable`;
  if (!subject.object.startsWith('Secret ')) return stringAt(body, 'message') ?? '';
  const fields = listAt(body, 'details', 'causes').map((cause) => stringAt(cause, 'field') ?? '');
  return [stringAt(body, 'reason') ?? '', ...fields].filter((part) => part !== '').join(' ');
}

const plainStatus: Readonly<Record<number, ErrorKind>> = {
  401: 'RemoteClientCreationFailed',
  408: 'ApiTransient',
  409: 'Conflict',
  410: 'Conflict',
  429: 'ApiTransient',
};

function kindOfAnswer(status: number, body: unknown, text: string): ErrorKind {
  switch (status) {
    case 403:
      return isNamespaceTerminating(body) ? 'NamespaceTerminating' : 'SpokeForbidden';
    case 404:
      return kindOfNotFound(body, text);
    case 500:
      return isPermanentServerError(stringAt(body, 'message') ?? '') ? 'ApplyRejected' : 'ApiTransient';
    default:
      return plainStatus[status] ?? kindOfClass(status);
  }
}

/** A redirect leads to a login page or to another host; the API server sends none. */
function kindOfClass(status: number): ErrorKind {
  if (status < 400) return 'RemoteClientCreationFailed';
  return status < 500 ? 'ApplyRejected' : 'ApiTransient';
}

/**
 * Only the API server may say that something does not exist; a page of a proxy in between says nothing about it. The API
 * server has two ways to say that it serves no such path: text for an unknown group, a Status for an unknown resource.
 */
function kindOfNotFound(body: unknown, text: string): ErrorKind {
  const unknownPath = /^404 page not found$|^the server could not find the requested resource/;
  if (unknownPath.test(text)) return 'KindUnavailable';
  return isRecord(body) && body['kind'] === 'Status' ? 'NotFound' : 'RemoteClientCreationFailed';
}

/** Server-side apply answers 500 to what can never succeed: unknown fields, wrong types, duplicate list keys. */
function isPermanentServerError(message: string): boolean {
  return (
    message.includes('failed to create typed patch object') ||
    message.includes('failed to convert new object')
  );
}

function isNamespaceTerminating(body: unknown): boolean {
  return listAt(body, 'details', 'causes').some(
    (cause) => stringAt(cause, 'reason') === 'NamespaceTerminating',
  );
}

/**
 * Turns a failure to get any answer into an OperatorError. Its details say the `code`, the `cause`, and with `broken`
 * that a connection which had worked broke before the answer.
 */
export function connectionFailure(subject: RequestSubject, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  const code = codeOf(error);
  const cause = causeText(code, error);
  const what = `${subject.verb} ${subject.object}`;
  if (isTlsFailure(code, error)) {
    return new OperatorError(
      'RemoteClientCreationFailed',
      `${what}: ${subject.server} cannot be trusted (${cause})`,
      { details: { code, cause } },
    );
  }
  const broken = !isConnectFailure(error) && brokenCodes.test(code);
  return new OperatorError('SpokeUnreachable', `${what}: ${subject.server} cannot be reached (${cause})`, {
    details: { code, cause, broken },
  });
}

/** An answer that began and did not end, or is none of an API server: the cluster is there, but not now. */
export function interruptedAnswer(subject: RequestSubject, error: unknown): OperatorError {
  const cause = causeText(codeOf(error), error);
  return new OperatorError(
    'ApiTransient',
    `${subject.verb} ${subject.object} on ${subject.server}: the answer cannot be used (${cause})`,
    { details: { cause } },
  );
}

const brokenCodes = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_INFO|ERR_HTTP2_.*)$/;
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH)/;

function isTlsFailure(code: string, error: unknown): boolean {
  const message = error instanceof Error ? error.message : '';
  return tlsCodes.test(code) || /certificate|SSL routines|\bPEM\b/i.test(message);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : codeOf(error.cause);
}

function causeText(code: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return bounded(message === '' ? code : message);
}

function firstLine(text: string): string {
  return /<html|<!doctype/i.test(text) ? 'an HTML page' : (text.split('\n', 1)[0] ?? '').trim();
}

function bounded(text: string): string {
  return text.length <= 600 ? text : `${text.slice(0, 600)}…`;
}
