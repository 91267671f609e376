import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { loadHubConnection } from '../../../adapters/kubernetes/hub-connection.ts';
import { kubeconfigNamespace } from '../../../adapters/kubernetes/kubeconfig.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hub-connection-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function load(user: object, cluster: object = {}): Promise<ReturnType<typeof loadHubConnection>> {
  const path = join(folder, 'config');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://hub.example:6443/path', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  await writeFile(path, JSON.stringify(config));
  return loadHubConnection(path);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('loadHubConnection', () => {
  test('reads address, trust, proxy and token', async () => {
    const connection = await load(
      { token: 't' },
      {
        'certificate-authority-data': base64('PEM'),
        'tls-server-name': 'name',
        'proxy-url': 'http://proxy:1',
      },
    );
    expect(connection).toMatchObject({
      server: 'https://hub.example:6443/path',
      certificateAuthority: 'PEM',
      tlsServerName: 'name',
      proxyUrl: 'http://proxy:1',
    });
    await expect(connection.credential()).resolves.toMatchObject({ token: 't' });
  });

  test('reads a client certificate from data and from files', async () => {
    await writeFile(join(folder, 'key.pem'), 'KEY');
    const connection = await load({
      'client-certificate-data': base64('CERT'),
      'client-key': join(folder, 'key.pem'),
    });
    await expect(connection.credential()).resolves.toMatchObject({
      clientCertificate: 'CERT',
      clientKey: 'KEY',
    });
  });

  test('reads the token file of a service account again after a refusal', async () => {
    const file = join(folder, 'token');
    await writeFile(file, 'first\n');
    const connection = await load({ 'auth-provider': { name: 'tokenFile', config: { tokenFile: file } } });
    await expect(connection.credential()).resolves.toEqual({ token: 'first' });
    await writeFile(file, 'second\n');
    await expect(connection.credential()).resolves.toEqual({ token: 'first' });
    await connection.renewCredential?.();
    await expect(connection.credential()).resolves.toEqual({ token: 'second' });
    await rm(file);
    await connection.renewCredential?.();
    await expect(connection.credential()).rejects.toMatchObject({ kind: 'HubUnavailable' });
  });

  test('runs the exec plugin of the user with the environment of this process, and renews what was refused', async () => {
    const plugin = join(folder, 'plugin.sh');
    const answer =
      '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s-%s"}}';
    await writeFile(
      plugin,
      `#!/bin/sh\necho run >> ${folder}/runs\nprintf '${answer}' "$CLOUD_PROFILE" "$EXTRA"\n`,
    );
    await chmod(plugin, 0o755);
    vi.stubEnv('CLOUD_PROFILE', 'blue');
    const apiVersion = 'client.authentication.k8s.io/v1';
    const connection = await load({
      exec: {
        command: plugin,
        apiVersion,
        env: [{ name: 'EXTRA', value: 'more' }],
        interactiveMode: 'Never',
      },
    });
    await expect(connection.credential()).resolves.toMatchObject({ token: 'blue-more' });
    await connection.credential();
    await connection.renewCredential?.({ token: 'blue-more' });
    await connection.credential();
    expect((await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n')).toHaveLength(2);
  });

  test('takes the context that is named, and says which there are when it is unknown', async () => {
    const path = join(folder, 'contexts');
    const contexts = ['blue', 'green'].map((name) => ({
      name,
      context: { cluster: name, user: 'u', namespace: `${name}-ns` },
    }));
    const clusters = ['blue', 'green'].map((name) => ({
      name,
      cluster: { server: `https://${name}.example` },
    }));
    const users = [{ name: 'u', user: { token: 't' } }];
    await writeFile(path, JSON.stringify({ clusters, users, contexts, 'current-context': 'blue' }));
    expect(loadHubConnection(path).server).toBe('https://blue.example');
    expect(loadHubConnection(path, 'green').server).toBe('https://green.example');
    expect(kubeconfigNamespace({ kubeconfig: path, context: 'green' })).toBe('green-ns');
    expect(() => loadHubConnection(path, 'red')).toThrow(/no context "red"; it has blue, green/);
  });

  test.each([
    ['a password', { username: 'a', password: 'hidden' }, {}, /neither a token, nor a client certificate/],
    ['a certificate without a key', { 'client-certificate-data': base64('CERT') }, {}, /with its key/],
    ['no verification', { token: 't' }, { 'insecure-skip-tls-verify': true }, /insecure-skip-tls-verify/],
    ['a missing file', { token: 't' }, { 'certificate-authority': '/nowhere/ca.pem' }, /nowhere\/ca\.pem/],
  ])('says why it cannot use %s', async (_, user, cluster, message) => {
    const failure = await load(user, cluster).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: 'HubUnavailable',
      message: expect.stringMatching(message) as string,
    });
    expect(String(failure)).not.toContain('hidden');
  });

  test('says that there is no configuration at all', () => {
    vi.stubEnv('KUBECONFIG', '');
    vi.stubEnv('HOME', folder);
    expect(() => loadHubConnection(undefined)).toThrow(/no kubeconfig and this is not a Pod/);
    vi.stubEnv('KUBECONFIG', join(folder, 'missing'));
    expect(() => loadHubConnection(undefined)).toThrow(/cannot be read: .*missing/);
  });
});
