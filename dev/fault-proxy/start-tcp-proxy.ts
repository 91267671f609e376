import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** A TCP proxy on loopback that delays, drops or refuses; for tests and benchmarks. */
export interface TcpProxy {
  readonly port: number;
  /** One-way delay of every chunk, milliseconds. */
  setDelay(milliseconds: number): void;
  /** Takes connections and data, and never answers. */
  blackHole(on: boolean): void;
  /** Closes new connections at once. */
  refuse(on: boolean): void;
  /** Resets every open connection. */
  resetAll(): void;
  readonly connections: number;
  readonly bytesToTarget: number;
  readonly bytesToClient: number;
  stop(): Promise<void>;
}

export async function startTcpProxy(target: { host: string; port: number }, delayMs = 0): Promise<TcpProxy> {
  const state = { delayMs, blackHole: false, refuse: false, connections: 0, toTarget: 0, toClient: 0 };
  const open = new Set<Socket>();
  const server = createServer((client) => {
    if (state.refuse) {
      client.resetAndDestroy();
      return;
    }
    state.connections += 1;
    const upstream = createConnection(target);
    const pair = [client, upstream];
    for (const socket of pair) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => pair.forEach((other) => other.destroy()));
      socket.on('close', () => {
        open.delete(socket);
        pair.forEach((other) => other.destroy());
      });
    }
    const forward = (from: Socket, to: Socket, count: (bytes: number) => void): void => {
      from.on('data', (chunk: Buffer) => {
        count(chunk.length);
        if (state.blackHole) return;
        if (state.delayMs === 0) to.write(chunk);
        else setTimeout(() => to.writable && to.write(chunk), state.delayMs);
      });
      from.on('end', () => setTimeout(() => to.end(), state.delayMs));
    };
    forward(client, upstream, (bytes) => (state.toTarget += bytes));
    forward(upstream, client, (bytes) => (state.toClient += bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    setDelay: (milliseconds) => (state.delayMs = milliseconds),
    blackHole: (on) => (state.blackHole = on),
    refuse: (on) => (state.refuse = on),
    resetAll: () => open.forEach((socket) => socket.resetAndDestroy()),
    get connections() {
      return state.connections;
    },
    get bytesToTarget() {
      return state.toTarget;
    },
    get bytesToClient() {
      return state.toClient;
    },
    async stop() {
      open.forEach((socket) => socket.destroy());
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
