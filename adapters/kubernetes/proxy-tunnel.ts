import { request as httpRequest } from 'node:http';
import type { ClientRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { getCACertificates } from 'node:tls';

import { OperatorError } from '../../domain/errors.ts';

/** Where a tunnel ends. */
export interface TunnelTarget {
  /** A name or a bare IP address. */
  readonly hostname: string;
  readonly port: string;
}

/** Gives a connection to the target through a proxy, or an error that names the proxy and never its credentials. */
export type OpenTunnel = (
  target: TunnelTarget,
  done: (error: Error | undefined, socket?: Socket) => void,
) => void;

export interface ProxyTunnelOptions {
  readonly timeoutMs: number;
  /** PEM of the cluster's authority: trusted for an https:// proxy besides the system's, as kubectl trusts it. */
  readonly authority?: string | undefined;
}

/** Throws RemoteClientCreationFailed unless the address is an http:// or https:// URL. */
export function createProxyTunnel(proxyUrl: string, options: ProxyTunnelOptions): OpenTunnel {
  const proxy = parseProxy(proxyUrl);
  const { timeoutMs } = options;
  return (target, done) => {
    const authority = `${isIPv6(target.hostname) ? `[${target.hostname}]` : target.hostname}:${target.port}`;
    const request = connectRequest(proxy, authority, options);
    let timer: NodeJS.Timeout | undefined;
    let finished = false;
    const finish = (cause: string | undefined, socket?: Socket): void => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      done(cause === undefined ? undefined : new Error(`the proxy ${proxy.host} ${cause}`), socket);
    };
    const refused = (status: number | undefined): void =>
      finish(`refused to connect to ${authority}: it answered ${String(status)}`);
    timer = setTimeout(() => {
      finish(`did not answer within ${String(timeoutMs / 1000)} s`);
      request.destroy();
    }, timeoutMs);
    request
      .on('connect', (answer, socket: Socket, early: Buffer) => {
        if (answer.statusCode !== 200) {
          socket.destroy();
          refused(answer.statusCode);
          return;
        }
        if (early.length > 0) socket.unshift(early);
        finish(undefined, socket);
      })
      .on('response', (answer) => {
        answer.destroy();
        refused(answer.statusCode);
      })
      .on('error', (error: NodeJS.ErrnoException) =>
        finish(`cannot be used (${error.message === '' ? (error.code ?? error.name) : error.message})`),
      )
      .end();
  };
}

function connectRequest(proxy: URL, authority: string, options: ProxyTunnelOptions): ClientRequest {
  const isHttps = proxy.protocol === 'https:';
  const send = isHttps ? httpsRequest : httpRequest;
  return send({
    method: 'CONNECT',
    hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port === '' ? (isHttps ? 443 : 80) : Number(proxy.port),
    path: authority,
    headers: { host: authority, ...authorizationOf(proxy) },
    agent: false,
    ...(options.authority === undefined ? {} : { ca: [...getCACertificates('default'), options.authority] }),
  });
}

function parseProxy(proxyUrl: string): URL {
  const url = URL.canParse(proxyUrl) ? new URL(proxyUrl) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const what = url === undefined ? 'is not a URL' : `has the protocol ${url.protocol}//`;
  throw new OperatorError(
    'RemoteClientCreationFailed',
    `the proxy address ${what}; only http:// and https:// proxies are supported, correct proxy-url`,
  );
}

function authorizationOf(proxy: URL): Record<string, string> {
  if (proxy.username === '' && proxy.password === '') return {};
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };
}
