import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Dispatcher } from 'undici';

import { createCircuitBreaker } from './circuit-breaker.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { ConnectionLimits, ConnectionSettings, Credential } from './connection-settings.ts';
import type { RequestSubject } from './failures.ts';
import { answerFailure, connectionFailure } from './failures.ts';
import { createRequestLimiter } from './request-limiter.ts';
import type { RequestLimiter } from './request-limiter.ts';
import { createTransport } from './transport.ts';
import type { Transport } from './transport.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** For messages. */
  readonly object: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** What a request cost; for metrics and benchmarks. */
export interface RequestObservation {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly milliseconds: number;
}

/** Sends requests to one API server within its limits, with its credentials, and reads JSON answers. */
export interface ApiRequests {
  readonly server: string;
  readonly circuit: CircuitBreaker;
  /** Rejects with an OperatorError on every answer that is not 2xx or listed in `accept304`. */
  send(request: ApiRequest): Promise<ApiAnswer>;
  /** Opens a stream that is not bounded by the in-flight limit and has no body time limit. */
  stream(request: ApiRequest): Promise<Dispatcher.ResponseData>;
  resetConnections(): void;
  close(): Promise<void>;
}

const maxThrottleWaitMs = 30_000;
const maxThrottleRetries = 5;
const bodyTimeoutMs = 30_000;
const maxBodyBytes = 256 * 1024 * 1024;

interface Parts {
  readonly settings: ConnectionSettings;
  readonly transport: Transport;
  readonly limiter: RequestLimiter;
  readonly circuit: CircuitBreaker;
  readonly userAgent: string;
  readonly observe: ((observation: RequestObservation) => void) | undefined;
}

export function createApiRequests(
  settings: ConnectionSettings,
  limits: ConnectionLimits,
  options: { userAgent: string; observe?: ((observation: RequestObservation) => void) | undefined },
): ApiRequests {
  const parts: Parts = {
    settings,
    transport: createTransport(settings, limits),
    limiter: createRequestLimiter(limits),
    circuit: createCircuitBreaker(settings.server, limits),
    userAgent: options.userAgent,
    observe: options.observe,
  };
  return {
    server: settings.server,
    circuit: parts.circuit,
    send: (request) => sendWithin(parts, request),
    stream: (request) => openStream(parts, request),
    resetConnections: () => parts.transport.reset(),
    close: () => parts.transport.close(),
  };
}

async function sendWithin(parts: Parts, request: ApiRequest): Promise<ApiAnswer> {
  for (let attempt = 0; ; attempt++) {
    const release = await parts.limiter.acquire(request.signal);
    let answer: ApiAnswer;
    try {
      answer = await sendAuthorized(parts, request);
    } finally {
      release();
    }
    const waitMs = throttleWait(answer, attempt);
    if (waitMs === undefined) return successOrThrow(parts, request, answer);
    await sleep(waitMs, undefined, request.signal === undefined ? {} : { signal: request.signal });
  }
}

async function sendAuthorized(parts: Parts, request: ApiRequest): Promise<ApiAnswer> {
  const credential = await parts.settings.credential();
  const answer = await sendOnce(parts, request, credential);
  if (answer.status !== 401 || parts.settings.renewCredential === undefined) return answer;
  await parts.settings.renewCredential(credential);
  return sendOnce(parts, request, await parts.settings.credential());
}

async function sendOnce(parts: Parts, request: ApiRequest, credential: Credential): Promise<ApiAnswer> {
  parts.circuit.enter();
  const startedAt = performance.now();
  try {
    const response = await dispatch(parts, request, { credential, bodyTimeout: bodyTimeoutMs });
    const text = await readBounded(response.body);
    parts.circuit.succeeded();
    parts.observe?.({
      method: request.method,
      path: request.path,
      status: response.statusCode,
      sentBytes: request.body?.length ?? 0,
      receivedBytes: text.length,
      milliseconds: performance.now() - startedAt,
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      body: parseBody(text, response.statusCode),
    };
  } catch (error) {
    throw noteFailure(parts, request, error);
  }
}

async function openStream(parts: Parts, request: ApiRequest): Promise<Dispatcher.ResponseData> {
  const open = async (credential: Credential): Promise<Dispatcher.ResponseData> => {
    parts.circuit.enter();
    try {
      const response = await dispatch(parts, request, { credential, bodyTimeout: 0 });
      parts.circuit.succeeded();
      return response;
    } catch (error) {
      throw noteFailure(parts, request, error);
    }
  };
  const credential = await parts.settings.credential();
  let response = await open(credential);
  if (response.statusCode === 401 && parts.settings.renewCredential !== undefined) {
    await response.body.dump();
    await parts.settings.renewCredential(credential);
    response = await open(await parts.settings.credential());
  }
  if (response.statusCode < 300) return response;
  const body = parseBody(await readBounded(response.body), response.statusCode);
  throw answerFailure(subjectOf(parts, request), response.statusCode, body);
}

function dispatch(
  parts: Parts,
  request: ApiRequest,
  more: { credential: Credential; bodyTimeout: number },
): Promise<Dispatcher.ResponseData> {
  const { token } = more.credential;
  return parts.transport.dispatcher(more.credential).request({
    origin: new URL(parts.settings.server).origin,
    method: request.method,
    path: `${parts.transport.prefix}${request.path}${queryString(request.query)}`,
    headers: {
      accept: request.accept ?? 'application/json',
      'user-agent': parts.userAgent,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      ...request.headers,
    },
    body: request.body ?? null,
    bodyTimeout: more.bodyTimeout,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
}

function noteFailure(parts: Parts, request: ApiRequest, error: unknown): unknown {
  const failure = connectionFailure(subjectOf(parts, request), error);
  if (request.signal?.aborted === true || failure === error) return error;
  parts.circuit.failed(error instanceof Error ? error.message : String(error));
  // A half-open HTTP/2 session would swallow every further request until its own ping fails.
  if (isTimeout(error)) parts.transport.reset();
  return failure;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /Timeout/.test(error.name);
}

function successOrThrow(parts: Parts, request: ApiRequest, answer: ApiAnswer): ApiAnswer {
  if (answer.status < 300 || answer.status === 304) return answer;
  throw answerFailure(subjectOf(parts, request), answer.status, answer.body);
}

function throttleWait(answer: ApiAnswer, attempt: number): number | undefined {
  if (answer.status !== 429 || attempt >= maxThrottleRetries) return undefined;
  const seconds = Number(answer.headers['retry-after'] ?? '1');
  const waitMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : 1) * 1000;
  return waitMs > maxThrottleWaitMs ? undefined : waitMs;
}

function subjectOf(parts: Parts, request: ApiRequest): RequestSubject {
  return { verb: request.method, object: request.object, server: parts.settings.server };
}

function queryString(query: ApiRequest['query']): string {
  const entries = Object.entries(query ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}

async function readBounded(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error(`the answer is larger than ${String(maxBodyBytes)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** An error answer may be plain text; a success that is not JSON is a broken proxy or a cut connection. */
function parseBody(text: string, status: number): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (status >= 300) return text;
    const what = /<html|<!doctype/i.test(text) ? 'an HTML page' : 'something that is not complete JSON';
    throw new Error(`the answer is ${what}; a proxy in between may answer in place of the API server`);
  }
}
