import { once } from 'node:events';
import { createServer } from 'node:net';

const given = new Set<number>();

/**
 * A loopback port that nobody listens on now and that this process has not given away before. Random and below the range
 * from which systems take ports of outgoing connections, so that a server started with it rarely finds it taken; it
 * still can, and then the caller tries again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
