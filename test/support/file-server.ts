import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server answers for one path. */
export type Served = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** An HTTP server on loopback for manifests; paths without an answer are 404. */
export interface FileServer {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  /** May be changed at any time. */
  readonly files: Map<string, Served>;
  /** Paths in the order of the requests. */
  readonly requested: string[];
  stop(): Promise<void>;
}

export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, Served>();
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requested.push(path);
    const served = files.get(path);
    if (typeof served === 'function') served(request, response);
    else if (served === undefined) response.writeHead(404).end('no such file');
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(served);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    files,
    requested,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
