import { describe, expect, test } from 'vitest';

import { createCredentialCache } from '../../../adapters/access/credential-cache.ts';
import type { PluginCredential } from '../../../adapters/access/exec-credential.ts';
import type { PluginCall } from '../../../adapters/access/profile-access.ts';
import { callOf } from './plugin-scripts.ts';

const credential = (token: string): PluginCredential => ({ credential: { token }, expiresAt: undefined });

describe('createCredentialCache', () => {
  test('shares a credential between equal calls and between nobody else', async () => {
    const runs: string[] = [];
    const cache = createCredentialCache({
      run: (call) => {
        runs.push(JSON.stringify(call.args));
        return Promise.resolve(credential(call.args.join()));
      },
    });
    const one = callOf('/p', { args: ['one'] });
    const two = callOf('/p', { args: ['two'] });
    const other: PluginCall = { ...one, clusterInfo: { server: 'https://other' } };
    const tokens: (string | undefined)[] = [];
    for (const call of [one, { ...one }, two, other]) {
      tokens.push((await cache.source(call, 'fleet/one').credential()).token);
    }
    expect(tokens).toEqual(['one', 'one', 'two', 'one']);
    expect(runs).toEqual(['["one"]', '["two"]', '["one"]']);
    cache.close();
  });

  test('bounds how many plugins run at once over all spokes', async () => {
    let running = 0;
    let most = 0;
    const cache = createCredentialCache({
      maxParallel: 3,
      run: async (call) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        if (call.args[0] === '4') throw new Error('a failing plugin frees its place');
        return credential('x');
      },
    });
    const calls = Array.from({ length: 20 }, (_, index) => callOf('/p', { args: [String(index)] }));
    const results = await Promise.allSettled(
      calls.map((call) => cache.source(call, 'fleet/one').credential()),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(19);
    expect(most).toBe(3);
    cache.close();
  });

  test('ends running plugins when it is closed, and gives out nothing more', async () => {
    const cache = createCredentialCache({
      maxParallel: 1,
      run: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    const running = cache.source(callOf('/one'), 'fleet/one').credential();
    const waiting = cache.source(callOf('/two'), 'fleet/one').credential();
    const outcomes = Promise.allSettled([running, waiting]);
    await new Promise((resolve) => setImmediate(resolve));
    cache.close();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'RemoteClusterStale' } });
    }
    await expect(cache.source(callOf('/three'), 'fleet/one').credential()).rejects.toMatchObject({
      kind: 'RemoteClusterStale',
    });
  });
});
