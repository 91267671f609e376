import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Dispatcher } from 'undici';

import { disturbLines } from './disturb-lines.ts';
import type { AnswerFault, FaultPlan, HttpFault, ProxiedRequest } from './http-fault.ts';
import { statusAnswer } from './http-fault.ts';

/** What one request of a proxy obeys. */
export interface Exchange {
  readonly request: ProxiedRequest;
  readonly upstream: Dispatcher;
  plan: FaultPlan | undefined;
  exchangeToken: (token: string) => string | undefined;
  /** Resets the client's connection. */
  readonly reset: () => void;
  readonly noteStatus: (status: number) => void;
}

/** Time for the first half of an answer to leave before the connection is reset. */
const flushMs = 30;

/** Headers of one hop, or of another representation than the one that is sent on. */
const dropped = /^(:.*|connection|keep-alive|transfer-encoding|host|upgrade|proxy-.*|http2-settings)$/;

/** Answers one request; a client that goes away ends it. */
export async function proxyExchange(
  from: IncomingMessage,
  to: ServerResponse,
  exchange: Exchange,
): Promise<void> {
  const gone = new AbortController();
  to.on('close', () => gone.abort());
  to.on('error', () => gone.abort());
  try {
    const body = await buffer(from);
    const fault = exchange.plan?.(exchange.request);
    if (fault?.type === 'delay') await sleep(fault.ms, undefined, { signal: gone.signal });
    await (fault?.type === 'answer'
      ? answer(to, exchange, fault)
      : forward({ from, body, to, signal: gone.signal }, exchange, fault));
  } catch {
    to.destroy();
  }
}

function answer(to: ServerResponse, exchange: Exchange, fault: AnswerFault): void {
  exchange.noteStatus(fault.status);
  to.writeHead(fault.status, { ...fault.headers });
  to.end(fault.body);
}

interface Hop {
  readonly from: IncomingMessage;
  readonly body: Buffer;
  readonly to: ServerResponse;
  readonly signal: AbortSignal;
}

async function forward(hop: Hop, exchange: Exchange, fault: HttpFault | undefined): Promise<void> {
  const headers = authorized(passed(hop.from.headers), exchange);
  if (headers === undefined) {
    answer(hop.to, exchange, statusAnswer(401, 'Unauthorized'));
    return;
  }
  // What is cut or rewritten here must be readable, and must not be remembered by its tag.
  const { 'accept-encoding': _encoding, 'if-none-match': _tag, ...plain } = headers;
  const response = await exchange.upstream.request({
    method: exchange.request.method as Dispatcher.HttpMethod,
    path: pathOf(exchange.request),
    headers: isPassed(fault) ? headers : plain,
    body: hop.body.length === 0 ? null : hop.body,
    signal: hop.signal,
  });
  exchange.noteStatus(response.statusCode);
  await respond(hop, exchange, { response, fault });
}

type Headers = Record<string, string | string[]>;

/** With the token that the server behind takes; undefined when it is refused. */
function authorized(headers: Headers, exchange: Exchange): Headers | undefined {
  const token = /^Bearer (.*)$/.exec(String(headers['authorization'] ?? ''))?.[1];
  if (token === undefined) return headers;
  const real = exchange.exchangeToken(token);
  return real === undefined ? undefined : { ...headers, authorization: `Bearer ${real}` };
}

function isPassed(fault: HttpFault | undefined): fault is undefined | Extract<HttpFault, { type: 'delay' }> {
  return fault === undefined || fault.type === 'delay';
}

async function respond(
  { to }: Hop,
  exchange: Exchange,
  { response, fault }: { response: Dispatcher.ResponseData; fault: HttpFault | undefined },
): Promise<void> {
  const { 'content-length': _length, etag: _etag, ...headers } = passed(response.headers);
  if (isPassed(fault)) {
    to.writeHead(response.statusCode, passed(response.headers));
    // A watch that is quiet so far must show its headers.
    to.flushHeaders();
    await pipeline(response.body, to);
    return;
  }
  if (fault.type === 'disturb') {
    to.writeHead(response.statusCode, headers);
    to.flushHeaders();
    await pipeline(response.body, disturbLines(fault.decide), to);
    return;
  }
  const whole = Buffer.from(await response.body.arrayBuffer());
  if (fault.type === 'withhold') {
    fault.answered();
    to.destroy();
    return;
  }
  to.writeHead(response.statusCode, headers);
  if (fault.type === 'rewrite') {
    to.end(fault.rewrite(whole.toString('utf8')));
    return;
  }
  const half = whole.subarray(0, Math.ceil(whole.length / 2));
  if (fault.type !== 'reset') {
    to.end(half);
    return;
  }
  to.write(half);
  await sleep(flushMs);
  exchange.reset();
}

function passed(headers: IncomingHttpHeaders): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string | string[]] => entry[1] !== undefined && !dropped.test(entry[0]),
    ),
  );
}

function pathOf({ path, query }: ProxiedRequest): string {
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
