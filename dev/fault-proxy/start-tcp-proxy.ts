import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';

import type { DelayedLane, LinkState } from './delayed-lane.ts';
import { createDelayedLane } from './delayed-lane.ts';

/** A TCP proxy on loopback that delays, withholds, refuses or resets; for tests and benchmarks. */
export interface TcpProxy {
  readonly port: number;
  /** One-way delay of all data from now on, in milliseconds. */
  setDelay(milliseconds: number): void;
  /** Takes connections and data and passes nothing on; what was withheld is delivered when it ends, as TCP would. */
  blackHole(on: boolean): void;
  /** Resets new connections at once. */
  refuse(on: boolean): void;
  /** Closes the port, so that connections are refused, and resets what is open; `false` takes connections on it again. */
  closePort(on: boolean): Promise<void>;
  /** Resets every open connection. */
  resetAll(): void;
  /** Taken since the start. */
  readonly connections: number;
  readonly bytesToTarget: number;
  readonly bytesToClient: number;
  stop(): Promise<void>;
}

interface Proxy {
  readonly target: { host: string; port: number };
  readonly link: LinkState;
  readonly open: Map<Socket, DelayedLane>;
  refuse: boolean;
  connections: number;
  bytesToTarget: number;
  bytesToClient: number;
}

export async function startTcpProxy(target: { host: string; port: number }, delayMs = 0): Promise<TcpProxy> {
  const proxy: Proxy = {
    target,
    link: { delayMs, blackHole: false },
    open: new Map(),
    refuse: false,
    connections: 0,
    bytesToTarget: 0,
    bytesToClient: 0,
  };
  // Half-open on purpose: the end of one direction passes through the queue like data.
  const server = createServer({ allowHalfOpen: true }, (client) => accept(proxy, client));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const resetAll = (): void => {
    for (const socket of proxy.open.keys()) socket.resetAndDestroy();
  };
  return {
    port,
    setDelay(milliseconds) {
      proxy.link.delayMs = milliseconds;
    },
    blackHole(on) {
      proxy.link.blackHole = on;
      for (const lane of proxy.open.values()) lane.drain();
    },
    refuse(on) {
      proxy.refuse = on;
    },
    async closePort(on) {
      const done = once(server, on ? 'close' : 'listening');
      if (on) server.close();
      else server.listen(port, '127.0.0.1');
      resetAll();
      await done;
    },
    resetAll,
    get connections() {
      return proxy.connections;
    },
    get bytesToTarget() {
      return proxy.bytesToTarget;
    },
    get bytesToClient() {
      return proxy.bytesToClient;
    },
    async stop() {
      // Also ends when the port is closed already.
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const socket of proxy.open.keys()) socket.destroy();
      await closed;
    },
  };
}

function accept(proxy: Proxy, client: Socket): void {
  if (proxy.refuse) {
    client.on('error', () => undefined).resetAndDestroy();
    return;
  }
  proxy.connections += 1;
  const upstream = createConnection({ ...proxy.target, allowHalfOpen: true });
  join(proxy, client, upstream, (bytes) => {
    proxy.bytesToTarget += bytes;
  });
  join(proxy, upstream, client, (bytes) => {
    proxy.bytesToClient += bytes;
  });
}

function join(proxy: Proxy, from: Socket, to: Socket, count: (bytes: number) => void): void {
  const lane = createDelayedLane(to, proxy.link);
  proxy.open.set(from, lane);
  from.setNoDelay(true);
  from.on('data', (chunk: Buffer) => {
    count(chunk.length);
    lane.push(chunk);
  });
  from.on('end', () => lane.push(undefined));
  from.on('error', () => to.resetAndDestroy());
  from.on('close', () => {
    proxy.open.delete(from);
    if (from.destroyed && !from.readableEnded) to.destroy();
  });
}
