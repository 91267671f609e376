import { describe, expect, test } from 'vitest';

import { createCredentialSource } from '../../../adapters/access/credential-source.ts';
import type { CredentialSource } from '../../../adapters/access/credential-source.ts';
import type { PluginCredential } from '../../../adapters/access/exec-credential.ts';
import { OperatorError } from '../../../domain/errors.ts';

interface Setting {
  readonly source: CredentialSource;
  /** Starts of the plugin. */
  readonly runs: () => number;
  readonly pass: (seconds: number) => void;
  /** What the plugin does from now on; `life` in seconds. */
  readonly plugin: (behaviour: { life?: number; fails?: string }) => void;
  readonly token: () => Promise<string | undefined>;
}

function setting(life?: number): Setting {
  let now = 1_700_000_000_000;
  let runs = 0;
  let behaviour: { life?: number; fails?: string } = life === undefined ? {} : { life };
  const run = async (): Promise<PluginCredential> => {
    runs += 1;
    const token = `token-${String(runs)}`;
    await Promise.resolve();
    if (behaviour.fails !== undefined) throw new OperatorError('AccessProviderFailed', behaviour.fails);
    const expiresAt = behaviour.life === undefined ? undefined : now + behaviour.life * 1000;
    return { credential: { token }, expiresAt };
  };
  const source = createCredentialSource(run, { wall: () => now, monotonic: () => now });
  return {
    source,
    runs: () => runs,
    pass: (seconds) => {
      now += seconds * 1000;
    },
    plugin: (next) => {
      behaviour = next;
    },
    token: async () => (await source.credential()).token,
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('createCredentialSource', () => {
  test('serves ten callers at the same time with one run', async () => {
    const { token, runs } = setting();
    const tokens = await Promise.all(Array.from({ length: 10 }, token));
    expect(new Set(tokens)).toEqual(new Set(['token-1']));
    expect(runs()).toBe(1);
  });

  test('keeps a credential without expiry until it is refused', async () => {
    const { token, runs, pass } = setting();
    await token();
    pass(10 * 24 * 3600);
    expect(await token()).toBe('token-1');
    expect(runs()).toBe(1);
  });

  test('fetches the next credential a minute before the expiry, and nobody waits for it', async () => {
    const { token, runs, pass } = setting(3600);
    await token();
    pass(3600 - 80);
    await token();
    expect(runs()).toBe(1);
    pass(25);
    expect(await token()).toBe('token-1');
    await settled();
    expect(runs()).toBe(2);
    expect(await token()).toBe('token-2');
  });

  test('does not use a credential in its last seconds', async () => {
    const { token, pass } = setting(3600);
    await token();
    pass(3600 - 5);
    expect(await token()).toBe('token-2');
  });

  test('runs a plugin with short-lived credentials about once in two thirds of their life', async () => {
    const { token, runs, pass } = setting(3);
    for (let tenth = 0; tenth < 300; tenth++) {
      await token();
      await settled();
      pass(0.1);
    }
    expect(runs()).toBeGreaterThan(9);
    expect(runs()).toBeLessThan(20);
  });

  test('uses the old credential while a refresh fails before its expiry', async () => {
    const { token, runs, pass, plugin } = setting(3600);
    await token();
    plugin({ fails: 'down' });
    pass(3600 - 50);
    for (let second = 0; second < 30; second++) {
      expect(await token()).toBe('token-1');
      await settled();
      pass(1);
    }
    expect(runs()).toBeLessThan(8);
  });

  test('remembers a failure with back-off, says when it tries again, and recovers', async () => {
    const { token, runs, pass, plugin } = setting();
    plugin({ fails: 'no such tenant' });
    await expect(token()).rejects.toThrow(/^no such tenant$/);
    await expect(token()).rejects.toMatchObject({
      kind: 'AccessProviderFailed',
      message: 'no such tenant; the plugin is tried again in 1 s',
    });
    for (let second = 0; second < 600; second++) {
      await token().catch(() => undefined);
      pass(1);
    }
    expect(runs()).toBeGreaterThan(10);
    expect(runs()).toBeLessThan(20);
    plugin({});
    pass(60);
    await expect(token()).resolves.toMatch(/^token-/);
  });

  test('renews at once after a refusal, once for all who were refused', async () => {
    const { source, token, runs } = setting(3600);
    const refused = await source.credential();
    await Promise.all(Array.from({ length: 10 }, () => source.renew(refused)));
    expect(await token()).toBe('token-2');
    await source.renew(refused);
    await source.renew();
    expect(await token()).toBe('token-2');
    expect(runs()).toBe(2);
  });

  test('renews again when the new credential is refused later', async () => {
    const { source, token, pass } = setting(36_000);
    await source.renew(await source.credential());
    pass(600);
    await source.renew(await source.credential());
    expect(await token()).toBe('token-3');
  });

  test('renews every credential that had worked, however often they are rotated', async () => {
    const { source, pass } = setting(36_000);
    for (let rotation = 1; rotation <= 20; rotation++) {
      const credential = await source.credential();
      expect(credential.token).toBe(`token-${String(rotation)}`);
      source.accepted(credential);
      pass(5);
      await source.renew(credential);
    }
  });

  test('never loops on a cluster that takes a credential for one thing and refuses it for another', async () => {
    const { source, runs, pass } = setting(36_000);
    for (let call = 0; call < 1_000; call++) {
      const credential = await source.credential();
      source.accepted(credential);
      await source.renew(credential);
      pass(0.01);
    }
    expect(runs()).toBeLessThan(13);
  });

  test('never loops on a cluster that refuses everything', async () => {
    const { source, runs, pass } = setting(36_000);
    for (let second = 0; second < 600; second++) {
      await source.renew(await source.credential());
      pass(1);
    }
    expect(runs()).toBeGreaterThan(8);
    expect(runs()).toBeLessThan(20);
  });

  test('does not give out a credential that was refused while its renewal fails', async () => {
    const { source, token, plugin } = setting();
    const refused = await source.credential();
    plugin({ fails: 'down' });
    await expect(source.renew(refused)).rejects.toThrow('down');
    await expect(token()).rejects.toThrow('down');
  });
});
