import { describe, expect, test } from 'vitest';

import { parseAccessConfig } from '../../../adapters/access/access-config.ts';
import type { AccessConfig } from '../../../adapters/access/access-config.ts';
import { accessHash, resolveProfileAccess } from '../../../adapters/access/profile-access.ts';
import type { ProfileAccess } from '../../../adapters/access/profile-access.ts';
import { parseClusterProfile } from '../../../domain/api/cluster-profile.ts';
import type { ClusterProfile } from '../../../domain/api/cluster-profile.ts';
import { certificatePem } from '../../support/certificate-pem.ts';

const v1 = 'client.authentication.k8s.io/v1';
const extensionPrefix = 'clusterprofiles.multicluster.x-k8s.io/exec/';

interface Entry {
  name: string;
  cluster?: object;
}

function profile(status: object = {}, name = 'one'): ClusterProfile {
  return parseClusterProfile({
    metadata: { namespace: 'fleet', name, uid: 'u', resourceVersion: '1' },
    status: { conditions: [{ type: 'ControlPlaneHealthy', status: 'True' }], ...status },
  });
}

function offering(cluster: object, name = 'one'): ClusterProfile {
  return profile(
    { accessProviders: [{ name: 'p', cluster: { server: 'https://spoke:6443', ...cluster } }] },
    name,
  );
}

function config(...providers: object[]): AccessConfig {
  return parseAccessConfig(JSON.stringify({ providers }));
}

function provider(more: object = {}, exec: object = {}): object {
  return {
    name: 'p',
    execConfig: { command: '/p', apiVersion: v1, provideClusterInfo: true, ...exec },
    ...more,
  };
}

const extended = (name: string, extension: unknown): object => ({ extensions: [{ name, extension }] });

const failureOf = (from: ClusterProfile, by: AccessConfig): { kind: string; message: string } => {
  try {
    resolveProfileAccess(from, by);
  } catch (error) {
    return error as { kind: string; message: string };
  }
  throw new Error('nothing was thrown');
};

describe('resolveProfileAccess', () => {
  const entry = (name: string, host: string): Entry => ({ name, cluster: { server: `https://${host}` } });
  const named = (...names: string[]): AccessConfig => config(...names.map((name) => provider({ name })));

  test.each<[string, { accessProviders?: Entry[]; credentialProviders?: Entry[] }, string[], string]>([
    [
      'the order of the file decides',
      { accessProviders: [entry('b', 'b1'), entry('a', 'a1')] },
      ['a', 'b'],
      'a1',
    ],
    [
      'unknown providers of the file are passed over',
      { accessProviders: [entry('b', 'b1')] },
      ['a', 'b'],
      'b1',
    ],
    ['the deprecated list is read', { credentialProviders: [entry('a', 'old')] }, ['a'], 'old'],
    [
      'accessProviders win on an equal name',
      { accessProviders: [entry('a', 'new')], credentialProviders: [entry('a', 'old')] },
      ['a'],
      'new',
    ],
    [
      'the file also prefers a name of the deprecated list',
      { accessProviders: [entry('b', 'new')], credentialProviders: [entry('a', 'old')] },
      ['a', 'b'],
      'old',
    ],
  ])('%s', (_, status, names, host) => {
    expect(resolveProfileAccess(profile(status), named(...names)).server).toBe(`https://${host}`);
  });

  test('warns about a profile that only fills the deprecated list', () => {
    const old = profile({ credentialProviders: [entry('a', 'old')] });
    expect(resolveProfileAccess(old, named('a')).warnings).toEqual([
      expect.stringContaining('credentialProviders'),
    ]);
  });

  test.each([
    ['missing', { conditions: [] }],
    ['False', { conditions: [{ type: 'ControlPlaneHealthy', status: 'False' }] }],
    ['Unknown', { conditions: [{ type: 'ControlPlaneHealthy', status: 'Unknown' }] }],
  ])('refuses a profile whose health is %s with the published message', (_, status) => {
    expect(failureOf(profile(status), named('a'))).toMatchObject({
      kind: 'ClusterProfileNotReady',
      message: 'ClusterProfile fleet/one is not ready',
    });
  });

  test('names what the profile offers and what the file knows when nothing matches', () => {
    const failure = failureOf(
      profile({ accessProviders: [entry('x', 'x'), entry('y', 'y')] }),
      named('a', 'b'),
    );
    expect(failure.kind).toBe('AccessProviderFailed');
    expect(failure.message).toContain(
      'failed to build config from ClusterProfile fleet/one: no matching cluster accessor found for cluster profile "one"',
    );
    expect(failure.message).toContain('[x, y]');
    expect(failure.message).toContain('[a, b]');
  });

  test('says so when the chosen provider has no exec settings, and does not try the next one', () => {
    const failure = failureOf(offering({}), config({ name: 'p' }, provider({ name: 'q' })));
    expect(failure).toMatchObject({ kind: 'AccessProviderFailed' });
    expect(failure.message).toContain('no exec config found for provider "p"');
  });

  test('honours the server name, the proxy and the certificates, and tells the plugin of them', () => {
    const data = Buffer.from(certificatePem).toString('base64');
    const access = resolveProfileAccess(
      offering({
        'certificate-authority-data': data,
        'tls-server-name': 'api.spoke',
        'proxy-url': 'http://proxy:3128',
        'disable-compression': true,
      }),
      config(provider()),
    );
    expect(access).toMatchObject({
      certificateAuthority: certificatePem,
      tlsServerName: 'api.spoke',
      proxyUrl: 'http://proxy:3128',
    });
    expect(access.plugin.clusterInfo).toEqual({
      server: 'https://spoke:6443',
      'tls-server-name': 'api.spoke',
      'certificate-authority-data': data,
      'proxy-url': 'http://proxy:3128',
      'disable-compression': true,
    });
  });

  test.each([
    [{ 'insecure-skip-tls-verify': true }, 'AccessProviderFailed', 'insecure-skip-tls-verify is refused'],
    [{ 'certificate-authority': '/etc/hub/secret' }, 'AccessProviderFailed', 'may not name files of the hub'],
    [{ 'proxy-url': 'socks5://proxy:1080' }, 'AccessProviderFailed', 'socks5 is not supported'],
    [{ server: 'spoke:6443/x y' }, 'AccessProviderFailed', 'cluster.server is not a URL'],
    [{ server: 'https://me:pw@spoke' }, 'AccessProviderFailed', 'must not contain credentials'],
    [
      { 'certificate-authority-data': Buffer.from('no pem').toString('base64') },
      'RemoteClientCreationFailed',
      'contains no PEM certificate',
    ],
  ])('refuses %j as %s', (cluster, kind, message) => {
    expect(failureOf(offering(cluster), config(provider()))).toMatchObject({
      kind,
      message: expect.stringContaining(message) as string,
    });
  });

  describe('extensions', () => {
    test.each([
      ['secretreader', { clusterName: 'spoke-1' }],
      ['cp-creds', { clusterName: 'cluster1' }],
      [
        'kubeconfig-secretreader',
        { name: 'spoke-1-kubeconfig', namespace: 'fleet', key: 'value', context: '' },
      ],
      [
        'nested data of any plugin',
        { a: { b: [{ c: null }, 1.5, 'x'] }, Name: 'case is kept', command: { ARGS: 1 } },
      ],
    ])('passes the config of %s through unchanged', (_, extension) => {
      const from = offering(extended('client.authentication.k8s.io/exec', extension));
      const { plugin } = resolveProfileAccess(from, config(provider()));
      expect(plugin.clusterInfo?.['config']).toEqual(extension);
    });

    test('tells the plugin nothing of the cluster unless the provider asks for it', () => {
      const { plugin } = resolveProfileAccess(
        offering({}),
        config(provider({}, { provideClusterInfo: false })),
      );
      expect(plugin.clusterInfo).toBeUndefined();
    });

    test.each<[string, string | undefined, unknown, string[]]>([
      ['no policy', undefined, ['--x'], ['a']],
      ['Ignore', 'Ignore', ['--x'], ['a']],
      ['Append of a list', 'Append', ['--x', 'y'], ['a', '--x', 'y']],
      ['Append of an object that wraps a list', 'Append', { args: ['--x'] }, ['a', '--x']],
      ['Append of an empty object', 'Append', {}, ['a']],
    ])('gives arguments by policy: %s', (_, policy, extension, expected) => {
      const by = config(provider({ profileSourcedCLIArgsPolicy: policy ?? null }, { args: ['a'] }));
      const from = offering(extended(`${extensionPrefix}additional-args`, extension));
      expect(resolveProfileAccess(from, by).plugin.args).toEqual(expected);
    });

    test.each([
      ['Ignore', { Z: 'file', A: 'file' }],
      ['AppendIfNotExists', { A: 'file', M: 'profile', Z: 'file' }],
      ['Replace', { A: 'profile', M: 'profile', Z: 'file' }],
    ])('gives environment by policy %s, sorted by name', (policy, expected) => {
      const env = [
        { name: 'Z', value: 'file' },
        { name: 'A', value: 'file' },
      ];
      const by = config(provider({ profileSourcedEnvVarsPolicy: policy }, { env }));
      const from = offering(extended(`${extensionPrefix}additional-envs`, { M: 'profile', A: 'profile' }));
      const given = resolveProfileAccess(from, by).plugin.env;
      expect(Object.fromEntries(given.map(({ name, value }) => [name, value]))).toEqual(expected);
      expect(given.map(({ name }) => name)).toEqual(Object.keys(expected).toSorted());
    });

    test.each([
      ['additional-args', ['a', 1], 'failed to unmarshal additional CLI args extension'],
      ['additional-args', { a: ['x'], b: ['y'] }, 'failed to unmarshal additional CLI args extension'],
      ['additional-envs', ['A=1'], 'failed to unmarshal additional env vars extension'],
      ['additional-envs', { A: 1 }, 'failed to unmarshal additional env vars extension'],
      ...[
        'PATH',
        'LD_PRELOAD',
        'NODE_OPTIONS',
        'KUBECONFIG',
        'KUBERNETES_EXEC_INFO',
        'kubernetes_service_host',
        'HOME',
      ].map((name): [string, object, string] => ['additional-envs', { [name]: 'x' }, `must not set ${name}`]),
    ])('refuses %s of %j', (name, extension, message) => {
      const by = config(
        provider({ profileSourcedCLIArgsPolicy: 'Append', profileSourcedEnvVarsPolicy: 'Replace' }),
      );
      expect(failureOf(offering(extended(extensionPrefix + name, extension)), by)).toMatchObject({
        kind: 'AccessProviderFailed',
        message: expect.stringContaining(message) as string,
      });
    });

    test('never lets what one profile adds reach another, nor pile up', () => {
      const by = config(
        provider({ profileSourcedCLIArgsPolicy: 'Append', profileSourcedEnvVarsPolicy: 'AppendIfNotExists' }),
      );
      const before = JSON.stringify(by);
      const extensions = (mark: string): object => ({
        extensions: [
          { name: `${extensionPrefix}additional-args`, extension: [mark] },
          { name: `${extensionPrefix}additional-envs`, extension: { MARK: mark } },
        ],
      });
      const results = ['one', 'two', 'one'].map((mark) =>
        resolveProfileAccess(offering(extensions(mark), mark), by),
      );
      expect(results.map((access) => access.plugin.args)).toEqual([['one'], ['two'], ['one']]);
      expect(results.map((access) => access.plugin.env[0]?.value)).toEqual(['one', 'two', 'one']);
      expect(JSON.stringify(by)).toBe(before);
    });
  });

  describe('hash', () => {
    const hashOf = (from: ClusterProfile, by = config(provider())): string =>
      resolveProfileAccess(from, by).hash;
    const base = hashOf(offering({}));

    test.each<[string, () => ProfileAccess]>([
      ['address', () => resolveProfileAccess(offering({ server: 'https://other' }), config(provider()))],
      ['proxy', () => resolveProfileAccess(offering({ 'proxy-url': 'http://p' }), config(provider()))],
      ['server name', () => resolveProfileAccess(offering({ 'tls-server-name': 'x' }), config(provider()))],
      [
        'plugin config',
        () =>
          resolveProfileAccess(
            offering(extended('client.authentication.k8s.io/exec', { a: 1 })),
            config(provider()),
          ),
      ],
      [
        'plugin command in the file',
        () => resolveProfileAccess(offering({}), config(provider({}, { command: '/q' }))),
      ],
      [
        'plugin environment in the file',
        () => resolveProfileAccess(offering({}), config(provider({}, { env: [{ name: 'A', value: '1' }] }))),
      ],
    ])('changes with the %s', (_, resolve) => {
      expect(resolve().hash).not.toBe(base);
    });

    test('stays when a heartbeat rewrites the profile', () => {
      const beat = offering({});
      expect(hashOf({ ...beat, metadata: { ...beat.metadata, resourceVersion: '99' } })).toBe(base);
    });
  });
});

describe('accessHash', () => {
  const entries = [
    { name: 'a', cluster: { server: 'https://a' } },
    { name: 'b', cluster: { server: 'https://b' } },
  ];
  const base = accessHash(profile({ accessProviders: entries }));

  test('ignores the order of providers and what else a heartbeat writes', () => {
    const rewritten = profile({
      accessProviders: entries.toReversed(),
      version: { kubernetes: 'v1.99.0' },
      conditions: [
        { type: 'Other', status: 'True' },
        { type: 'ControlPlaneHealthy', status: 'True', message: 'ok' },
      ],
    });
    expect(accessHash(rewritten)).toBe(base);
  });

  test.each([
    ['health', { accessProviders: entries, conditions: [] }],
    ['an address', { accessProviders: [{ name: 'a', cluster: { server: 'https://c' } }, entries[1]] }],
    [
      'an extension',
      {
        accessProviders: [{ name: 'a', cluster: { server: 'https://a', ...extended('x', {}) } }, entries[1]],
      },
    ],
    ['the list they are in', { credentialProviders: entries }],
  ])('changes with %s', (_, status) => {
    expect(accessHash(profile(status))).not.toBe(base);
  });
});
