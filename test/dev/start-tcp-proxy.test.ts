import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { TcpProxy } from '../../dev/fault-proxy/start-tcp-proxy.ts';
import { startTcpProxy } from '../../dev/fault-proxy/start-tcp-proxy.ts';

const echo = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => undefined).pipe(socket);
});

let proxy: TcpProxy;

beforeEach(async () => {
  if (!echo.listening) await once(echo.listen(0, '127.0.0.1'), 'listening');
  const address = echo.address();
  proxy = await startTcpProxy({
    host: '127.0.0.1',
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
  });
  return async () => {
    await proxy.stop();
  };
});

afterEach(() => {
  echo.close();
});

async function open(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

describe('startTcpProxy', () => {
  test('passes both directions to their end and counts them', async () => {
    const socket = await open();
    socket.end('hello');
    expect(await text(socket)).toBe('hello');
    expect(proxy).toMatchObject({ connections: 1, bytesToTarget: 5, bytesToClient: 5 });
  });

  test('delays each direction by the time set', async () => {
    proxy.setDelay(60);
    const socket = await open();
    const sentAt = performance.now();
    socket.end('hello');
    await text(socket);
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(119);
  });

  test('keeps the order of data when the delay shrinks while data is under way', async () => {
    proxy.setDelay(100);
    const socket = await open();
    socket.write('first ');
    await expect.poll(() => proxy.bytesToTarget).toBe(6);
    proxy.setDelay(0);
    socket.end('second');
    expect(await text(socket)).toBe('first second');
  });

  test('withholds data in a black hole and delivers it afterwards', async () => {
    const socket = await open();
    proxy.blackHole(true);
    socket.end('held');
    await expect.poll(() => proxy.bytesToTarget).toBe(4);
    expect(proxy.bytesToClient).toBe(0);
    proxy.blackHole(false);
    expect(await text(socket)).toBe('held');
  });

  test('resets new connections while it refuses, and takes them again afterwards', async () => {
    proxy.refuse(true);
    const refused = connect(proxy.port, '127.0.0.1');
    await expect(once(refused, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
    proxy.refuse(false);
    const socket = await open();
    socket.end('back');
    expect(await text(socket)).toBe('back');
  });

  test('refuses connections while its port is closed, and takes them on the same port again', async () => {
    await proxy.closePort(true);
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await proxy.closePort(false);
    const socket = await open();
    socket.end('back');
    expect(await text(socket)).toBe('back');
  });

  test('resets open connections on demand', async () => {
    const socket = await open();
    socket.write('x');
    await once(socket, 'data');
    proxy.resetAll();
    await expect(once(socket, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
