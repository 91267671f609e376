import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

/** One attempt of an API server to reach a webhook or a Service. */
export interface Dial {
  readonly cluster: string;
  /** `host:port` that it asked for. */
  readonly address: string;
  readonly at: Date;
}

/** A loopback port that answers in place of the dialled address, or undefined to refuse. */
export type AnswerDial = (dial: Dial) => number | undefined;

/** Takes every connection that an API server wants to open and counts it, so that nothing ever leaves the machine. */
export interface EgressSink {
  readonly dials: readonly Dial[];
  /** For `--egress-selector-config-file`. */
  readonly configFile: string;
  stop(): Promise<void>;
}

/** Must run from before the first start of the API server until after its end. */
export async function startEgressSink(
  folder: string,
  cluster: string,
  answer?: AnswerDial,
): Promise<EgressSink> {
  const dials: Dial[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer().on('connect', (request, socket: Duplex) => {
    const dial: Dial = { cluster, address: request.url ?? '', at: new Date() };
    dials.push(dial);
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    const port = answer?.(dial);
    if (port === undefined) socket.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
    else sockets.add(joinTo(port, socket));
  });
  const path = join(folder, 'egress.sock');
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject).listen(path, resolve);
  });
  const configFile = join(folder, 'egress.json');
  await writeFile(configFile, JSON.stringify(selectorConfig(path)));
  return {
    dials,
    configFile,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function joinTo(port: number, socket: Duplex): Socket {
  const upstream = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  return upstream;
}

// `cluster` is for webhooks and proxied requests that name a Service, Pod or Node; `controlplane` for webhooks with a URL.
function selectorConfig(udsName: string): object {
  const connection = { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName } } };
  return {
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: ['cluster', 'controlplane'].map((name) => ({ name, connection })),
  };
}
