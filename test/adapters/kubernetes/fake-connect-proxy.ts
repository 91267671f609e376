import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { KeyPair } from '../../../dev/certificates/make-certificates.ts';

export interface ConnectProxy {
  /** `http://127.0.0.1:<port>` or `https://…` */
  readonly url: string;
  /** Targets and credentials of all CONNECT requests. */
  readonly asked: readonly { readonly target: string; readonly authorization: string | undefined }[];
  stop(): Promise<void>;
}

/** A proxy on loopback that joins connections, refuses with a status, or says nothing at all. */
export async function startConnectProxy(
  behaviour: 'join' | 'say nothing' | number,
  certificate?: KeyPair,
): Promise<ConnectProxy> {
  const asked: { target: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Duplex>();
  const server =
    certificate === undefined
      ? createHttpServer()
      : createHttpsServer({ cert: certificate.certificate, key: certificate.key });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    sockets.add(socket.on('error', () => undefined));
    if (behaviour === 'say nothing') return;
    if (behaviour === 'join') sockets.add(join(request.url ?? '', socket));
    else socket.end(`HTTP/1.1 ${String(behaviour)} No\r\ncontent-length: 0\r\n\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const scheme = certificate === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function join(target: string, socket: Duplex): Socket {
  const url = new URL(`http://${target}`);
  const upstream = connect(Number(url.port), url.hostname.replace(/^\[|\]$/g, ''), () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(upstream).pipe(socket);
  });
  return upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
}
