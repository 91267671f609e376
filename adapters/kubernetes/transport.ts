import { Pool, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';

import { OperatorError } from '../../domain/errors.ts';
import type { ConnectionLimits, ConnectionSettings, Credential } from './connection-settings.ts';

export const defaultLimits: ConnectionLimits = {
  inFlight: 16,
  requestsPerSecond: 100,
  burst: 200,
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 15_000,
  circuitFailures: 3,
  circuitOpenMs: 30_000,
};

/** Half-open HTTP/2 sessions answer nothing; a ping finds them. */
const pingIntervalMs = 10_000;
/** Sockets for HTTP/1.1; an HTTP/2 server gets one session for everything. */
const maxConnections = 8;
/** An idle spoke costs no socket after this. */
const keepAliveMs = 60_000;

/** Where requests of one cluster go: a pool of connections, renewed when it looks dead or its client certificate changed. */
export interface Transport {
  /** Path in front of every request path, without a trailing slash. */
  readonly prefix: string;
  dispatcher(credential: Credential): Dispatcher;
  /** Drops all connections; requests in flight on them fail. */
  reset(): void;
  close(): Promise<void>;
}

export function createTransport(settings: ConnectionSettings, limits: ConnectionLimits): Transport {
  const url = parseServer(settings.server);
  let current: { dispatcher: Dispatcher; certificate: string | undefined } | undefined;

  const drop = (): void => {
    const dropped = current?.dispatcher;
    current = undefined;
    dropped?.destroy(new Error('the connection was given up')).catch(() => undefined);
  };

  return {
    prefix: url.pathname.replace(/\/+$/, ''),
    dispatcher(credential) {
      if (current !== undefined && current.certificate !== credential.clientCertificate) drop();
      current ??= {
        dispatcher: createDispatcher(url.origin, settings, { limits, credential }),
        certificate: credential.clientCertificate,
      };
      return current.dispatcher;
    },
    reset: drop,
    async close() {
      const closing = current?.dispatcher;
      current = undefined;
      await closing?.destroy();
    },
  };
}

function createDispatcher(
  origin: string,
  settings: ConnectionSettings,
  more: { limits: ConnectionLimits; credential: Credential },
): Dispatcher {
  const tls = {
    ...(settings.certificateAuthority === undefined ? {} : { ca: settings.certificateAuthority }),
    ...(settings.tlsServerName === undefined ? {} : { servername: settings.tlsServerName }),
    ...(more.credential.clientCertificate === undefined ? {} : { cert: more.credential.clientCertificate }),
    ...(more.credential.clientKey === undefined ? {} : { key: more.credential.clientKey }),
  };
  const common = {
    allowH2: true,
    connections: maxConnections,
    headersTimeout: more.limits.headersTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    h2Options: { pingInterval: pingIntervalMs },
  };
  if (settings.proxyUrl !== undefined) {
    return new ProxyAgent({
      ...common,
      uri: settings.proxyUrl,
      proxyTunnel: true,
      requestTls: { ...tls, timeout: more.limits.connectTimeoutMs },
      proxyTls: { timeout: more.limits.connectTimeoutMs },
    });
  }
  return new Pool(origin, { ...common, connect: { ...tls, timeout: more.limits.connectTimeoutMs } });
}

function parseServer(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol === 'https:') return url;
  if (url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) return url;
  throw new OperatorError(
    'RemoteClientCreationFailed',
    `the server address ${server.slice(0, 200)} is not an https:// URL; correct it in the ClusterProfile`,
  );
}
