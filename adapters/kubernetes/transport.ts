import { Pool } from 'undici';
import type { buildConnector, Dispatcher } from 'undici';

import { OperatorError } from '../../domain/errors.ts';
import type { ConnectionLimits, ConnectionSettings, Credential } from './connection-settings.ts';
import { connectorFactory } from './connector.ts';

export const defaultLimits: ConnectionLimits = {
  inFlight: 16,
  requestsPerSecond: 100,
  burst: 200,
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 15_000,
  circuitFailures: 3,
  circuitOpenMs: 30_000,
};

/** A half-open HTTP/2 session answers nothing; it is given up when a ping is unanswered at the next one. */
const pingIntervalMs = 8_000;
/** An idle spoke costs no socket after this. */
const keepAliveMs = 60_000;

/** Where requests of one cluster go: a pool of connections, renewed when it looks dead or its client certificate changed. */
export interface Transport {
  readonly origin: string;
  /** Path in front of every request path, without a trailing slash; undici refuses a pool with a path. */
  readonly prefix: string;
  /** Throws RemoteClusterStale after `close`. */
  dispatcher(credential: Credential): Dispatcher;
  /**
   * Drops the connections of a pool that looks dead; requests on them fail with the error. A later pool stays, and so do
   * connections that work while only new ones fail.
   */
  giveUp(dispatcher: Dispatcher, error: Error, which: 'all' | 'if-none-works'): void;
  close(): Promise<void>;
}

/** Opens no connection yet. Throws RemoteClientCreationFailed when the address or the proxy is none that can be used. */
export function createTransport(settings: ConnectionSettings, limits: ConnectionLimits): Transport {
  const url = parseServer(settings.server);
  const connectorFor = connectorFactory(settings, limits);
  let current: { pool: Pool; credential: Credential } | undefined;
  let closed = false;

  const replace = (credential: Credential): Pool => {
    // Requests under way finish on the connections of the former certificate.
    current?.pool.close().catch(() => undefined);
    const pool = createPool(url.origin, connectorFor(credential), limits);
    current = { pool, credential };
    return pool;
  };

  return {
    origin: url.origin,
    prefix: url.pathname.replace(/\/+$/, ''),
    dispatcher(credential) {
      if (closed) throw new OperatorError('RemoteClusterStale', `the connection to ${url.host} was closed`);
      return current !== undefined && isSameCertificate(current.credential, credential)
        ? current.pool
        : replace(credential);
    },
    giveUp(dispatcher, error, which) {
      const pool = current?.pool;
      if (pool === undefined || pool !== dispatcher) return;
      if (which === 'if-none-works' && pool.stats.connected > 0) return;
      current = undefined;
      pool.destroy(error).catch(() => undefined);
    },
    async close() {
      closed = true;
      const pool = current?.pool;
      current = undefined;
      await pool?.destroy(new Error(`the connection to ${url.host} was closed`));
    },
  };
}

/** An HTTP/2 server gets one connection for everything; with HTTP/1.1 the limit of requests in flight bounds the sockets. */
function createPool(origin: string, connect: buildConnector.connector, limits: ConnectionLimits): Pool {
  return new Pool(origin, {
    allowH2: true,
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    h2Options: { pingInterval: pingIntervalMs },
    connect,
  });
}

function isSameCertificate(one: Credential, other: Credential): boolean {
  return one.clientCertificate === other.clientCertificate && one.clientKey === other.clientKey;
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
