import { setTimeout as sleep } from 'node:timers/promises';

import { parseBody, readBody } from './answer-body.ts';
import type { ApiAnswer, ApiRequest, RequestObservation } from './api-request.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { CircuitBreaker, CircuitObserver } from './circuit-breaker.ts';
import type { ConnectionLimits, ConnectionSettings, Credential } from './connection-settings.ts';
import { createExchange, isBrokenConnection } from './exchange.ts';
import type { Exchange, OpenAnswer } from './exchange.ts';
import { answerFailure, interruptedAnswer } from './failures.ts';
import type { RequestSubject } from './failures.ts';
import { readJsonLines } from './json-lines.ts';
import { createRequestLimiter } from './request-limiter.ts';
import type { RequestLimiter } from './request-limiter.ts';
import { createTransport } from './transport.ts';

/** Sends requests to one API server within its limits and with its credentials. */
export interface ApiRequests {
  /** The server address. */
  readonly server: string;
  /** Rejects with an OperatorError on every answer but 2xx and 304. */
  send(request: ApiRequest): Promise<ApiAnswer>;
  /**
   * The JSON lines of a stream as they come; ends when the server ends it. Not bounded by the limit of requests in flight.
   * Rejects with ApiTransient when it breaks off or says nothing for `idleMs`.
   */
  lines(request: ApiRequest, idleMs: number): AsyncGenerator<unknown>;
  readonly circuit: CircuitBreaker;
  close(): Promise<void>;
}

/** All waits for a throttling server that one call makes together. */
const maxThrottledMs = 60_000;

interface Parts {
  readonly settings: ConnectionSettings;
  readonly exchange: Exchange;
  readonly limiter: RequestLimiter;
}

export interface ApiRequestsOptions {
  readonly userAgent: string;
  readonly observe?: ((observation: RequestObservation) => void) | undefined;
  readonly observeCircuit?: CircuitObserver | undefined;
}

export function createApiRequests(
  settings: ConnectionSettings,
  limits: ConnectionLimits,
  options: ApiRequestsOptions,
): ApiRequests {
  const transport = createTransport(settings, limits);
  const circuit = createCircuitBreaker(settings.server, limits, options.observeCircuit);
  const { userAgent, observe } = options;
  const parts: Parts = {
    settings,
    exchange: createExchange({ server: settings.server, userAgent, limits, transport, circuit, observe }),
    limiter: createRequestLimiter(limits),
  };
  return {
    server: settings.server,
    send: (request) => send(parts, request),
    lines: (request, idleMs) => lines(parts, request, idleMs),
    circuit,
    close: () => transport.close(),
  };
}

async function send(parts: Parts, request: ApiRequest): Promise<ApiAnswer> {
  let throttledMs = 0;
  for (;;) {
    const answer = await sendInTurn(parts, request);
    const waitMs = retryAfterMs(answer);
    if (waitMs === undefined || throttledMs + waitMs > maxThrottledMs)
      return successOf(parts, request, answer);
    throttledMs += waitMs;
    await pause(waitMs, request.signal);
  }
}

async function sendInTurn(parts: Parts, request: ApiRequest): Promise<ApiAnswer> {
  const release = await parts.limiter.acquire(request.signal);
  try {
    return await authorized(parts, {
      exchange: (credential) => sendOrRepeat(parts.exchange, request, credential),
      statusOf: (answer) => answer.status,
    });
  } finally {
    release();
  }
}

/** A server that restarts, or a load balancer that moves, breaks connections that had worked: that is no failure yet. */
async function sendOrRepeat(
  exchange: Exchange,
  request: ApiRequest,
  credential: Credential,
): Promise<ApiAnswer> {
  try {
    return await exchange.send(request, credential);
  } catch (error) {
    if (request.repeatable !== true || !isBrokenConnection(error)) throw error;
    return exchange.send(request, credential);
  }
}

async function* lines(parts: Parts, request: ApiRequest, idleMs: number): AsyncGenerator<unknown> {
  const { response, limit } = await openStream(parts, request);
  const silent = `nothing came for ${String(idleMs / 1000)} s`;
  try {
    limit.restart(idleMs, silent);
    for await (const line of readJsonLines(response.body)) {
      limit.restart(idleMs, silent);
      yield line;
    }
  } catch (error) {
    if (request.signal?.aborted === true) throw request.signal.reason;
    throw interruptedAnswer(subjectOf(parts, request), error);
  } finally {
    limit.release();
    response.body.on('error', () => undefined).destroy();
  }
}

async function openStream(parts: Parts, request: ApiRequest): Promise<OpenAnswer> {
  const answer = await authorized(parts, {
    exchange: (credential) => parts.exchange.open(request, credential),
    statusOf: ({ response }) => response.statusCode,
    discard: async ({ response, limit }) => {
      await response.body.dump();
      limit.release();
    },
  });
  const { statusCode } = answer.response;
  if (statusCode < 300) return answer;
  try {
    const { text } = await readBody(answer.response);
    throw answerFailure(subjectOf(parts, request), statusCode, parseBody(text, statusCode));
  } finally {
    answer.limit.release();
  }
}

interface Attempt<Answer> {
  readonly exchange: (credential: Credential) => Promise<Answer>;
  readonly statusOf: (answer: Answer) => number;
  readonly discard?: (answer: Answer) => Promise<void>;
}

/** Once more with a fresh credential after a 401. */
async function authorized<Answer>({ settings }: Parts, attempt: Attempt<Answer>): Promise<Answer> {
  const credential = await settings.credential();
  const answer = await attempt.exchange(credential);
  if (attempt.statusOf(answer) !== 401) {
    settings.credentialAccepted?.(credential);
    return answer;
  }
  if (settings.renewCredential === undefined) return answer;
  await attempt.discard?.(answer);
  await settings.renewCredential(credential);
  return attempt.exchange(await settings.credential());
}

function successOf(parts: Parts, request: ApiRequest, answer: ApiAnswer): ApiAnswer {
  if (answer.status < 300 || answer.status === 304) return answer;
  throw answerFailure(subjectOf(parts, request), answer.status, answer.body);
}

/** Seconds by Retry-After, 1 s without; undefined when the server does not throttle. */
function retryAfterMs(answer: ApiAnswer): number | undefined {
  if (answer.status !== 429) return undefined;
  const seconds = Number(answer.headers['retry-after'] ?? '1');
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 1000;
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : error;
  }
}

function subjectOf({ settings }: Parts, request: ApiRequest): RequestSubject {
  return { verb: request.method, object: request.object, server: settings.server };
}
