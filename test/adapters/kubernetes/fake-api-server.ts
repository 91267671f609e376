import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import type { KeyPair } from '../../../dev/certificates/make-certificates.ts';

export interface ReceivedRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly httpVersion: string;
  /** Common name of the client certificate. */
  readonly clientName: string | undefined;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/** A server on loopback that answers what a test tells it; discovery of a few kinds is built in. */
export interface FakeApiServer {
  /** Address without a trailing slash. */
  readonly server: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  readonly connections: number;
  /** Answers by path without query, the newest first; `*` answers everything else. */
  on(path: string, answer: Answer): void;
  /** Cuts every connection. */
  cut(): void;
  stop(): Promise<void>;
}

export interface FakeApiServerOptions {
  readonly protocol: 'http' | 'https' | 'h2';
  readonly certificate?: KeyPair;
  /** Asks for a client certificate of this authority. */
  readonly clientAuthority?: string;
  readonly host?: string;
  /** In front of the built-in discovery paths. */
  readonly prefix?: string;
}

export async function startFakeApiServer(options: FakeApiServerOptions): Promise<FakeApiServer> {
  const host = options.host ?? '127.0.0.1';
  const requests: ReceivedRequest[] = [];
  const answers = new Map<string, Answer>(Object.entries(builtIn(options.prefix ?? '')));
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(options, (request, response) => {
    void receive(request, options.protocol).then((received) => {
      requests.push(received);
      const path = received.url.split('?')[0] ?? '';
      const answer = answers.get(path) ?? answers.get('*') ?? notFound;
      answer(response, received);
    });
  });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const scheme = options.protocol === 'http' ? 'http' : 'https';
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    server: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`,
    port,
    requests,
    get connections() {
      return connections;
    },
    on: (path, answer) => void answers.set(path, answer),
    cut,
    async stop() {
      cut();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function createServer(options: FakeApiServerOptions, listener: Listener): Server {
  if (options.protocol === 'http') return createHttpServer(listener);
  const tls = {
    cert: options.certificate?.certificate,
    key: options.certificate?.key,
    ...(options.clientAuthority === undefined
      ? {}
      : { ca: options.clientAuthority, requestCert: true, rejectUnauthorized: true }),
  };
  if (options.protocol === 'https') return createHttpsServer(tls, listener);
  // The compatibility API of HTTP/2 offers what these tests use of HTTP/1.1.
  const server = createSecureServer(tls, listener as never) as unknown as Server;
  return server.on('sessionError', () => undefined);
}

async function receive(request: IncomingMessage, protocol: string): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers, httpVersion } = request;
  const clientName = protocol === 'http' ? undefined : clientNameOf(request.socket as TLSSocket);
  return { method, url, headers, body: Buffer.concat(chunks).toString('utf8'), httpVersion, clientName };
}

function clientNameOf(socket: TLSSocket): string | undefined {
  const name = socket.getPeerCertificate().subject?.CN;
  return typeof name === 'string' ? name : undefined;
}

export function json(code: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function text(code: number, body: string, type = 'text/plain'): Answer {
  return (response) => {
    response.writeHead(code, { 'content-type': type });
    response.end(body);
  };
}

export function status(code: number, reason: string, message = reason, details?: object): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details };
}

/** Gives each of the answers once, the last one from then on. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let next = 0;
  return (response, request) => {
    answers[Math.min(next, answers.length - 1)]?.(response, request);
    next += 1;
  };
}

const notFound = json(404, status(404, 'NotFound'));

function builtIn(prefix: string): Record<string, Answer> {
  return {
    [`${prefix}/api`]: json(
      200,
      discovered('', 'v1', [
        ['configmaps', 'ConfigMap'],
        ['secrets', 'Secret'],
      ]),
    ),
    [`${prefix}/apis`]: json(200, discovered('apps', 'v1', [['deployments', 'Deployment']])),
    [`${prefix}/version`]: json(200, { gitVersion: 'v1.35.0' }),
  };
}

/** An aggregated discovery document with one group of namespaced kinds. */
export function discovered(
  group: string,
  version: string,
  kinds: readonly (readonly [plural: string, kind: string])[],
): object {
  const resources = kinds.map(([resource, kind]) => ({
    resource,
    responseKind: { group, version, kind },
    scope: 'Namespaced',
    verbs: ['get', 'list', 'watch', 'patch'],
  }));
  const metadata = group === '' ? {} : { name: group };
  return { kind: 'APIGroupDiscoveryList', items: [{ metadata, versions: [{ version, resources }] }] };
}

export function configMap(name: string, more: object = {}): Record<string, unknown> {
  const metadata = { name, namespace: 'default', resourceVersion: '7', ...more };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}
