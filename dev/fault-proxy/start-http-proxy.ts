import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { Http2SecureServer } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

import { Pool } from 'undici';

import type { KeyPair } from '../certificates/make-certificates.ts';
import type { FaultPlan, ProxiedRequest } from './http-fault.ts';
import type { Exchange } from './proxy-exchange.ts';
import { proxyExchange } from './proxy-exchange.ts';

export interface HttpProxyOptions {
  /** The API server behind. */
  readonly target: { readonly server: string; readonly caPem: string };
  readonly certificate: KeyPair;
  /** Default: HTTP/2, and 1.1 for clients that cannot. */
  readonly protocol?: 'h2' | 'http/1.1';
  /** Path under which the server is served, such as `/clusters/one`; requests elsewhere are answered 404. */
  readonly prefix?: string;
}

/** A proxy on loopback that terminates TLS in front of a real API server and injects faults of HTTP. */
export interface HttpProxy {
  /** Address with its prefix, without a trailing slash. */
  readonly server: string;
  readonly port: number;
  /** Every request since the start or the last `forget`, in the order of arrival. */
  readonly requests: readonly SeenRequest[];
  /** Requests that were not below the prefix; always a defect of the client. */
  readonly strays: readonly string[];
  forget(): void;
  /** From the next request on; undefined passes everything unchanged. */
  inject(plan: FaultPlan | undefined): void;
  /** Exchanges bearer tokens: undefined answers 401. Without it they pass unchanged. */
  exchangeTokens(exchange: (token: string) => string | undefined): void;
  /** For new connections; the open ones are cut. */
  useCertificate(certificate: KeyPair): void;
  stop(): Promise<void>;
}

export type SeenRequest = Pick<ProxiedRequest, 'method' | 'path' | 'protocol'> & { status: number };

type Server = Http2SecureServer | HttpsServer;

interface Proxy {
  readonly prefix: string;
  readonly upstream: Pool;
  readonly requests: SeenRequest[];
  readonly strays: string[];
  /** By the client's port. */
  readonly sockets: Map<number | undefined, Socket>;
  readonly rules: Pick<Exchange, 'plan' | 'exchangeToken'>;
}

export async function startHttpProxy(options: HttpProxyOptions): Promise<HttpProxy> {
  const { server: target, caPem } = options.target;
  const proxy: Proxy = {
    prefix: options.prefix ?? '',
    upstream: new Pool(target, { connect: { ca: caPem }, allowH2: true, bodyTimeout: 0 }),
    requests: [],
    strays: [],
    sockets: new Map(),
    rules: { plan: undefined, exchangeToken: (token) => token },
  };
  const { prefix, upstream, requests, strays, sockets, rules } = proxy;
  const server = listen(options, (request, response) => take(proxy, request, response));
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    sockets.set(remotePort, socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(remotePort));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets.values()) socket.destroy();
  };
  return {
    server: `https://127.0.0.1:${String(port)}${prefix}`,
    port,
    requests,
    strays,
    forget: () => void requests.splice(0),
    inject: (plan) => void (rules.plan = plan),
    exchangeTokens: (exchange) => void (rules.exchangeToken = exchange),
    useCertificate({ certificate, key }) {
      server.setSecureContext({ cert: certificate, key });
      cut();
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
      await upstream.destroy();
    },
  };
}

function take(proxy: Proxy, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', 'https://proxy.invalid');
  const method = request.method ?? '';
  if (!url.pathname.startsWith(`${proxy.prefix}/`)) {
    proxy.strays.push(`${method} ${url.pathname}`);
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end('no cluster is served under this path');
    return;
  }
  const path = url.pathname.slice(proxy.prefix.length);
  const protocol = request.httpVersion === '2.0' ? 'h2' : 'http/1.1';
  const entry: SeenRequest = { method, path, protocol, status: 0 };
  proxy.requests.push(entry);
  void proxyExchange(request, response, {
    ...proxy.rules,
    request: { method, path, protocol, query: url.searchParams },
    upstream: proxy.upstream,
    reset: () => proxy.sockets.get(request.socket.remotePort)?.resetAndDestroy(),
    noteStatus: (status) => void (entry.status = status),
  });
}

function listen(
  { certificate: { certificate, key }, protocol }: HttpProxyOptions,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const server =
    protocol === 'http/1.1'
      ? createHttpsServer({ cert: certificate, key }, handle)
      : createSecureServer({ cert: certificate, key, allowHTTP1: true }, (request, response) =>
          // The compatibility layer of HTTP/2 has all of these members that are used here.
          handle(request as unknown as IncomingMessage, response as unknown as ServerResponse),
        );
  // Clients that do not trust the certificate break off; that is what they are here for.
  return server.on('tlsClientError', () => undefined);
}
