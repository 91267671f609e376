import type { Dispatcher } from 'undici';

import { OperatorError } from '../../domain/errors.ts';
import { parseBody, readBody } from './answer-body.ts';
import type { ApiAnswer, ApiRequest, RequestObservation } from './api-request.ts';
import { requestTarget } from './api-request.ts';
import type { CircuitBreaker, CircuitPass } from './circuit-breaker.ts';
import type { ConnectionLimits, Credential } from './connection-settings.ts';
import { isConnectFailure } from './connector.ts';
import { connectionFailure, interruptedAnswer } from './failures.ts';
import type { RequestSubject } from './failures.ts';
import { createTimeLimit, TimeLimitExceeded } from './time-limit.ts';
import type { TimeLimit } from './time-limit.ts';
import type { Transport } from './transport.ts';

/** Sends one request once. An error status is an answer; no answer, or one that breaks off, is an OperatorError. */
export interface Exchange {
  send(request: ApiRequest, credential: Credential): Promise<ApiAnswer>;
  /** Resolves at the headers, whatever the status; the body has no time limit of its own. */
  open(request: ApiRequest, credential: Credential): Promise<OpenAnswer>;
}

export interface OpenAnswer {
  readonly response: Dispatcher.ResponseData;
  /** Bounds the rest; must be released. */
  readonly limit: TimeLimit;
}

export interface ExchangeParts {
  readonly server: string;
  readonly userAgent: string;
  readonly limits: ConnectionLimits;
  readonly transport: Transport;
  readonly circuit: CircuitBreaker;
  readonly observe: ((observation: RequestObservation) => void) | undefined;
}

/** Silence inside an answer. */
const bodySilenceMs = 30_000;
/** From the headers to the end of an answer. */
const bodyMs = 120_000;

export function createExchange(parts: ExchangeParts): Exchange {
  return {
    send: (request, credential) => send(parts, request, credential),
    open: (request, credential) => open(parts, request, { credential, bodyTimeout: 0 }),
  };
}

async function send(parts: ExchangeParts, request: ApiRequest, credential: Credential): Promise<ApiAnswer> {
  const startedAt = performance.now();
  const observe = (status: number, receivedBytes: number): void =>
    parts.observe?.({
      method: request.method,
      path: request.path,
      status,
      sentBytes: request.body === undefined ? 0 : Buffer.byteLength(request.body),
      receivedBytes,
      milliseconds: performance.now() - startedAt,
    });
  const { response, limit } = await open(parts, compressible(request), {
    credential,
    bodyTimeout: bodySilenceMs,
    onNoAnswer: () => observe(0, 0),
  });
  try {
    limit.restart(bodyMs, `the answer was not complete within ${String(bodyMs / 1000)} s`);
    const { text, bytes } = await readBody(response);
    observe(response.statusCode, bytes);
    return {
      status: response.statusCode,
      headers: response.headers,
      body: parseBody(text, response.statusCode),
    };
  } catch (error) {
    observe(0, 0);
    if (request.signal?.aborted === true) throw request.signal.reason;
    throw interruptedAnswer(subjectOf(parts, request), error);
  } finally {
    limit.release();
  }
}

/** The API server compresses large answers to reads; a stream must not wait in the buffer of a compressor. */
function compressible(request: ApiRequest): ApiRequest {
  return request.method === 'GET'
    ? { ...request, headers: { 'accept-encoding': 'gzip', ...request.headers } }
    : request;
}

interface OpenOptions {
  readonly credential: Credential;
  readonly bodyTimeout: number;
  /** The request was sent and got no answer. */
  readonly onNoAnswer?: () => void;
}

async function open(parts: ExchangeParts, request: ApiRequest, more: OpenOptions): Promise<OpenAnswer> {
  const dispatcher = parts.transport.dispatcher(more.credential);
  const pass = parts.circuit.enter();
  const limit = createTimeLimit(request.signal);
  const waitMs = parts.limits.connectTimeoutMs + parts.limits.headersTimeoutMs;
  limit.restart(waitMs, `no answer within ${String(waitMs / 1000)} s`);
  try {
    const response = await dispatcher.request({
      ...requestOptions(parts, request, more.credential),
      bodyTimeout: more.bodyTimeout,
      signal: limit.signal,
    });
    pass.succeeded();
    return { response, limit };
  } catch (error) {
    limit.release();
    more.onNoAnswer?.();
    throw noteFailure(parts, request, { error, pass, dispatcher });
  }
}

function requestOptions(
  parts: ExchangeParts,
  request: ApiRequest,
  credential: Credential,
): Dispatcher.RequestOptions {
  return {
    origin: parts.transport.origin,
    method: request.method,
    path: `${parts.transport.prefix}${requestTarget(request)}`,
    headers: {
      accept: request.accept ?? 'application/json',
      'user-agent': parts.userAgent,
      ...(credential.token === undefined ? {} : { authorization: `Bearer ${credential.token}` }),
      ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      ...request.headers,
    },
    body: request.body ?? null,
  };
}

interface Failed {
  readonly error: unknown;
  readonly pass: CircuitPass;
  readonly dispatcher: Dispatcher;
}

function noteFailure(parts: ExchangeParts, request: ApiRequest, failed: Failed): unknown {
  const { error, pass, dispatcher } = failed;
  if (request.signal?.aborted === true) {
    pass.abandoned();
    return request.signal.reason;
  }
  const failure = connectionFailure(subjectOf(parts, request), error);
  if (failure.kind === 'SpokeUnreachable') pass.failed(error, String(failure.details['cause'] ?? ''));
  else pass.abandoned();
  if (error instanceof Error) {
    // What waits for a connection behind this one would otherwise wait for a time limit each.
    if (isConnectFailure(error)) parts.transport.giveUp(dispatcher, error, 'if-none-works');
    // A half-open HTTP/2 session would swallow every further request until its own ping fails.
    else if (isTimeout(error)) parts.transport.giveUp(dispatcher, error, 'all');
  }
  return failure;
}

function isTimeout(error: Error): boolean {
  return error instanceof TimeLimitExceeded || error.name === 'HeadersTimeoutError';
}

function subjectOf(parts: ExchangeParts, request: ApiRequest): RequestSubject {
  return { verb: request.method, object: request.object, server: parts.server };
}

/** Whether the same request may be sent again at once: a connection that had worked broke before the answer. */
export function isBrokenConnection(error: unknown): boolean {
  return error instanceof OperatorError && error.details['broken'] === true;
}
