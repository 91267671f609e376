import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';

/** One attempt of an API server to reach a webhook or a Service. */
export interface Dial {
  readonly cluster: string;
  /** `host:port` that it asked for. */
  readonly address: string;
}

/** Takes every connection that an API server wants to open, counts it and refuses it: nothing ever leaves the machine. */
export interface EgressSink {
  readonly dials: readonly Dial[];
  /** Path of the file for `--egress-selector-config-file`. */
  readonly configFile: string;
  stop(): Promise<void>;
}

/** Listens on a unix socket in the folder, from before the first start of the API server. */
export async function startEgressSink(folder: string, cluster: string): Promise<EgressSink> {
  const dials: Dial[] = [];
  const sockets = new Set<Socket>();
  const path = join(folder, `${cluster}.egress`);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (data) => {
      const address = /^CONNECT (\S+)/.exec(data.toString())?.[1] ?? 'unknown';
      dials.push({ cluster, address });
      socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(path, resolve);
  });
  const configFile = join(folder, `${cluster}.egress.json`);
  await writeFile(configFile, JSON.stringify(selectorConfig(path)));
  return {
    dials,
    configFile,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function selectorConfig(udsName: string): object {
  return {
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [
      {
        name: 'cluster',
        connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName } } },
      },
    ],
  };
}
