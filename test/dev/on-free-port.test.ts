import { describe, expect, test, vi } from 'vitest';

import { onFreePort } from '../../dev/processes/on-free-port.ts';

describe('onFreePort', () => {
  test('tries another port when somebody took the first one', async () => {
    const start = vi.fn<(port: number) => Promise<number>>(async (port) => {
      if (start.mock.calls.length === 1) throw new Error('listen tcp: bind: address already in use');
      return port;
    });
    const port = await onFreePort(start);
    expect(start.mock.calls).toEqual([[expect.any(Number)], [port]]);
    expect(start.mock.calls[0]).not.toEqual([port]);
  });

  test('passes any other failure on at once', async () => {
    const start = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('no such flag')));
    await expect(onFreePort(start)).rejects.toThrow('no such flag');
    expect(start).toHaveBeenCalledTimes(1);
  });
});
