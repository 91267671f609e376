import { createServer } from 'node:net';

const given = new Set<number>();

/** A loopback port that nobody listens on now and that this process has not given away before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await new Promise<number>((resolve, reject) => {
      const server = createServer();
      server.on('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
      });
    });
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
