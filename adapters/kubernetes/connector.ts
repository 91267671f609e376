import { buildConnector } from 'undici';

import type { ConnectionLimits, ConnectionSettings, Credential } from './connection-settings.ts';
import { createProxyTunnel } from './proxy-tunnel.ts';
import type { OpenTunnel } from './proxy-tunnel.ts';

/**
 * Keep-alive probes start after this; the kernel gives up 10 s later. It finds dead HTTP/1.1 connections, HTTP/2 has its
 * own ping.
 */
const keepAliveDelayMs = 5_000;

const failedToConnect = new WeakSet<Error>();

/** Whether the error came from opening a connection: nothing was sent. */
export function isConnectFailure(error: unknown): boolean {
  return error instanceof Error && failedToConnect.has(error);
}

/**
 * Makes what opens connections to one API server, directly or through its proxy, with a client certificate or without.
 * Offers HTTP/2 first and takes 1.1. Throws RemoteClientCreationFailed for a proxy that cannot be used.
 */
export function connectorFactory(
  settings: ConnectionSettings,
  limits: ConnectionLimits,
): (credential: Credential) => buildConnector.connector {
  const { proxyUrl, certificateAuthority: authority } = settings;
  const openTunnel =
    proxyUrl === undefined
      ? undefined
      : createProxyTunnel(proxyUrl, { timeoutMs: limits.connectTimeoutMs, authority });
  return (credential) => {
    const connect = noteFailures(tlsConnector(settings, credential, limits));
    return openTunnel === undefined ? connect : throughTunnel(connect, openTunnel);
  };
}

function tlsConnector(
  settings: ConnectionSettings,
  credential: Credential,
  limits: ConnectionLimits,
): buildConnector.connector {
  return buildConnector({
    allowH2: true,
    preferH2: true,
    timeout: limits.connectTimeoutMs,
    keepAliveInitialDelay: keepAliveDelayMs,
    ...(settings.certificateAuthority === undefined ? {} : { ca: settings.certificateAuthority }),
    ...(settings.tlsServerName === undefined ? {} : { servername: settings.tlsServerName }),
    ...(credential.clientCertificate === undefined ? {} : { cert: credential.clientCertificate }),
    ...(credential.clientKey === undefined ? {} : { key: credential.clientKey }),
  });
}

/** Remembers errors as failures to connect; broken certificates and keys, which are thrown, become such errors. */
function noteFailures(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    const fail = (error: Error): void => {
      failedToConnect.add(error);
      callback(error, null);
    };
    try {
      return connect(options, (...result) => {
        if (result[0] === null) callback(null, result[1]);
        else fail(result[0]);
      });
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      return queueMicrotask(() => fail(failure));
    }
  };
}

function throughTunnel(connect: buildConnector.connector, openTunnel: OpenTunnel): buildConnector.connector {
  return (options, callback) => {
    const isHttps = options.protocol === 'https:';
    const port = options.port === '' ? (isHttps ? '443' : '80') : options.port;
    openTunnel({ hostname: options.hostname, port }, (error, socket) => {
      if (socket === undefined) {
        const failure = error ?? new Error('the proxy gave no connection');
        failedToConnect.add(failure);
        callback(failure, null);
        return;
      }
      socket.setKeepAlive(true, keepAliveDelayMs);
      if (isHttps) connect({ ...options, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  };
}
