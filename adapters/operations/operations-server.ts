import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { messageOf } from '../../domain/errors.ts';
import type { BindAddress } from '../settings/setting-kinds.ts';

/** Names what is looked at, and why it is not well now; undefined when it is. */
export type Checks = Readonly<Record<string, () => string | undefined>>;

export interface OperationsServerOptions {
  readonly address: BindAddress;
  /** Of `/healthz`: what only a restart can cure. */
  readonly live: Checks;
  /** Of `/readyz`: whether this process does its work now. */
  readonly ready: Checks;
  /** Of `/metrics`, in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}

/** Serves probes and metrics over plain HTTP, without credentials; holds no secret and changes nothing. */
export interface OperationsServer {
  /** `host:port`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Rejects with what to do when the address cannot be used. */
export async function startOperationsServer(options: OperationsServerOptions): Promise<OperationsServer> {
  const server = createServer((request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      send(response, 500, `${messageOf(error)}\n`);
    });
  });
  await listen(server, options.address);
  const { address, port, family } = server.address() as AddressInfo;
  return {
    address: `${family === 'IPv6' ? `[${address}]` : address}:${String(port)}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, { host, port }: BindAddress): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new Error(
      `probes and metrics cannot be served on ${host}:${String(port)}: ${messageOf(error)}; ` +
        'set METRICS_BIND_ADDRESS to a free address, or to off',
      { cause: error },
    );
  }
}

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

async function answer(
  options: OperationsServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'only GET\n');
  switch (new URL(request.url ?? '/', 'http://localhost').pathname) {
    case '/healthz':
      return judge(response, options.live);
    case '/readyz':
      return judge(response, options.ready);
    case '/metrics':
      return send(response, 200, await options.metrics(), metricsType);
    default:
      return send(response, 404, 'known are /healthz, /readyz and /metrics\n');
  }
}

/** One line for each check, in the form that API servers use. */
function judge(response: ServerResponse, checks: Checks): void {
  const outcomes = Object.entries(checks).map(([name, check]) => ({ name, problem: check() }));
  const lines = outcomes.map(({ name, problem }) =>
    problem === undefined ? `[+]${name} ok` : `[-]${name} failed: ${problem}`,
  );
  const well = outcomes.every(({ problem }) => problem === undefined);
  send(response, well ? 200 : 503, `${lines.join('\n')}\n`);
}

function send(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
