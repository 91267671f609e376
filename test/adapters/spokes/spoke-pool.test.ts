import type { ServerResponse } from 'node:http';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { parseAccessConfig } from '../../../adapters/access/access-config.ts';
import { createCredentialCache } from '../../../adapters/access/credential-cache.ts';
import { runExecPlugin } from '../../../adapters/access/exec-plugin.ts';
import type { SpokeAccess } from '../../../adapters/access/target-access.ts';
import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';
import { createSpokePool } from '../../../adapters/spokes/spoke-pool.ts';
import { freePort } from '../../../dev/processes/free-port.ts';
import { until } from '../../../dev/processes/until.ts';
import { parseClusterProfile } from '../../../domain/api/cluster-profile.ts';
import { OperatorError } from '../../../domain/errors.ts';
import { createPluginScripts, credentialJson, execVersion, print } from '../access/plugin-scripts.ts';
import type { PluginScripts } from '../access/plugin-scripts.ts';
import { answer, kubeSystemPath, startFakeSpoke, status } from './fake-spoke.ts';
import type { FakeSpoke } from './fake-spoke.ts';

const ref = { namespace: 'fleet', name: 'one' };
const oneConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'one' };

let scripts: PluginScripts;
let spoke: FakeSpoke;
let pool: SpokeAccess;
let version = 1;
let profile: { health: string; cluster: { server: string; [field: string]: unknown } };
let otherProviders: readonly object[] = [];
let hubFailure: OperatorError | undefined;
let provider: { command: string; args: string[] };
const cleanups: (() => Promise<void>)[] = [];

beforeEach(async () => {
  scripts = await createPluginScripts();
  spoke = await startFakeSpoke('uid-1', ['first', 'second']);
  cleanups.push(
    () => scripts.remove(),
    () => spoke.close(),
  );
  provider = { command: await scripts.shell('plugin', print(credentialJson({ token: 'first' }))), args: [] };
  profile = { health: 'True', cluster: { server: spoke.server } };
  hubFailure = undefined;
  otherProviders = [];
  pool = createPool();
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function readProfile(): ReturnType<typeof parseClusterProfile> {
  if (hubFailure !== undefined) throw hubFailure;
  return parseClusterProfile({
    metadata: { ...ref, uid: 'profile-uid', resourceVersion: String(version++) },
    status: {
      conditions: [{ type: 'ControlPlaneHealthy', status: profile.health }],
      accessProviders: [{ name: 'p', cluster: profile.cluster }, ...otherProviders],
    },
  });
}

function createPool(more: Partial<Parameters<typeof createSpokePool>[0]> = {}): SpokeAccess {
  const created = createSpokePool({
    readProfile: () => Promise.resolve().then(readProfile),
    providerFile: {
      current: () =>
        Promise.resolve(
          parseAccessConfig(
            JSON.stringify({
              providers: [{ name: 'p', execConfig: { ...provider, apiVersion: execVersion } }],
            }),
          ),
        ),
    },
    credentials: createCredentialCache({ run: (call, signal) => runExecPlugin(call, { signal }) }),
    createClient: (settings) => createClusterClient(settings, { fieldManager: 'test' }),
    ...more,
  });
  cleanups.push(() => created.close());
  return created;
}

const stale = {
  kind: 'RemoteClusterStale',
  message: expect.stringContaining('cluster connection is stale: fleet/one') as string,
};

describe('createSpokePool', () => {
  test('connects and says who the cluster is', async () => {
    await expect(pool.connect(ref)).resolves.toMatchObject({
      clusterUID: 'uid-1',
      server: spoke.server,
      kubernetesVersion: 'v1.35.0',
      provider: 'p',
    });
  });

  test('lets a caller read while the cluster is still asked who it is', async () => {
    const held: ServerResponse[] = [];
    spoke.override(kubeSystemPath, (response) => held.push(response));
    const early = Promise.withResolvers<unknown>();
    const connecting = pool.connect(ref, {
      meanwhile: (client) => void client.get(oneConfigMap).then(early.resolve, early.reject),
    });
    expect(await early.promise).toMatchObject({ metadata: { name: 'one' } });
    await until('the question who it is', 10_000, () => Promise.resolve(held[0]));
    for (const response of held) answer(response, 200, { metadata: { name: 'kube-system', uid: 'uid-1' } });
    await expect(connecting).resolves.toMatchObject({ clusterUID: 'uid-1' });
  });

  test('serves ten callers at the same time with one plugin run and one connection', async () => {
    const targets = await Promise.all(Array.from({ length: 10 }, () => pool.connect(ref)));
    expect(new Set(targets.map((target) => target.client)).size).toBe(1);
    expect(await scripts.runs('plugin')).toBe(1);
    expect((await pool.connect(ref)).client).toBe(targets[0]?.client);
    expect(await scripts.runs('plugin')).toBe(1);
  });

  test('answers a revoked token with one refusal, one plugin run and success', async () => {
    const { client } = await pool.connect(ref);
    spoke.tokens.delete('first');
    await scripts.shell('plugin', print(credentialJson({ token: 'second' })));
    await expect(client.get(oneConfigMap)).resolves.toMatchObject({ metadata: { name: 'one' } });
    expect(spoke.answered.filter((code) => code === 401)).toHaveLength(1);
    expect(await scripts.runs('plugin')).toBe(2);
    await pool.connect(ref);
    expect(await scripts.runs('plugin')).toBe(2);
  });

  test('tries a spoke whose circuit is open at once when its profile changes, also in what is not in use', async () => {
    const client = (await pool.connect(ref)).client;
    const { port } = new URL(spoke.server);
    await spoke.close();
    const failing = async (): Promise<string> =>
      client.get(oneConfigMap).then(
        () => 'answered',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      );
    await until('the circuit is open', 20_000, async () =>
      (await failing()).includes('not tried again before') ? true : undefined,
    );
    const back = await startFakeSpoke('uid-1', ['first', 'second'], Number(port));
    cleanups.push(() => back.close());
    await expect(pool.connect(ref)).rejects.toMatchObject({ kind: 'SpokeUnreachable' });
    otherProviders = [{ name: 'other', cluster: { server: 'https://elsewhere' } }];
    await expect(pool.connect(ref)).resolves.toMatchObject({ clusterUID: 'uid-1' });
  });

  test('runs the plugin once for many requests that are refused at the same time', async () => {
    const { client } = await pool.connect(ref);
    await client.get(oneConfigMap);
    spoke.tokens.delete('first');
    await scripts.shell('plugin', print(credentialJson({ token: 'second' })));
    await Promise.all(Array.from({ length: 12 }, () => client.get(oneConfigMap)));
    expect(await scripts.runs('plugin')).toBe(2);
  });

  test('turns a credential that stays refused into RemoteClientCreationFailed, without a loop', async () => {
    spoke.tokens.clear();
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(pool.connect(ref)).rejects.toMatchObject({
        kind: 'RemoteClientCreationFailed',
        message: expect.stringMatching(
          /^failed to create remote kube client: ClusterProfile fleet\/one: .*answered 401.*check/,
        ) as string,
      });
    }
    expect(await scripts.runs('plugin')).toBeLessThanOrEqual(2);
  });

  test.each<[string, string, (response: ServerResponse) => void, RegExp]>([
    [
      'SpokeForbidden',
      'forbids it, with verb and resource',
      (response) => {
        const message = 'namespaces "kube-system" is forbidden: User "x" cannot get resource "namespaces"';
        answer(response, 403, status(403, 'Forbidden', message));
      },
      /ClusterProfile fleet\/one: GET Namespace kube-system .*cannot get resource "namespaces".*grant the spoke role/,
    ],
    [
      'SpokeUnreachable',
      'does not serve yet',
      (response) => answer(response, 503, status(503, 'ServiceUnavailable')),
      /answered 503.*look at its health/,
    ],
    [
      'RemoteClientCreationFailed',
      'has no namespace kube-system',
      (response) => answer(response, 404, status(404, 'NotFound')),
      /has no namespace kube-system/,
    ],
    [
      'RemoteClientCreationFailed',
      'is not an API server',
      (response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('not here'),
      /failed to create remote kube client: ClusterProfile fleet\/one: .*correct the address/,
    ],
    [
      'SpokeUnreachable',
      'cuts the connection',
      (response) => response.destroy(),
      /cannot be reached.*network path/,
    ],
  ])('reports %s when what answers %s', async (kind, _, how, message) => {
    spoke.override(kubeSystemPath, how);
    await expect(pool.connect(ref)).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(message) as string,
    });
  });

  test('reports SpokeUnreachable when nobody listens', async () => {
    profile.cluster = { server: `http://127.0.0.1:${String(await freePort())}` };
    await expect(pool.connect(ref)).rejects.toMatchObject({ kind: 'SpokeUnreachable' });
  });

  test('reports a failing plugin with the profile and what to do, also from a client that was handed out', async () => {
    const failing = {
      kind: 'AccessProviderFailed',
      message: expect.stringMatching(
        /^ClusterProfile fleet\/one: getting credentials: exec: executable .* failed with exit code 1; it wrote: no tenant.*docs\/credentials\.md$/,
      ) as string,
    };
    const { client } = await pool.connect(ref);
    await scripts.shell('plugin', 'echo no tenant >&2; exit 1');
    spoke.tokens.delete('first');
    await expect(client.get(oneConfigMap)).rejects.toMatchObject(failing);
    await expect(pool.connect(ref)).rejects.toMatchObject({ kind: 'AccessProviderFailed' });
  });

  test('passes on that the hub has no such profile, and lets go of the connection', async () => {
    const { client } = await pool.connect(ref);
    hubFailure = new OperatorError('ClusterProfileNotFound', 'gone');
    await expect(pool.connect(ref)).rejects.toBe(hubFailure);
    await expect(client.get(oneConfigMap)).rejects.toMatchObject(stale);
  });

  test('keeps the connection while the hub cannot be read', async () => {
    const { client } = await pool.connect(ref);
    hubFailure = new OperatorError('ClusterProfileUnavailable', 'the hub is away');
    await expect(pool.connect(ref)).rejects.toBe(hubFailure);
    await expect(client.get(oneConfigMap)).resolves.toBeDefined();
    hubFailure = undefined;
    expect((await pool.connect(ref)).client).toBe(client);
  });

  test('takes a profile that turned unhealthy at the next call, and connects anew when it recovers', async () => {
    const { client } = await pool.connect(ref);
    profile.health = 'False';
    await expect(pool.connect(ref)).rejects.toMatchObject({
      kind: 'ClusterProfileNotReady',
      message: 'ClusterProfile fleet/one is not ready',
    });
    await expect(client.get(oneConfigMap)).rejects.toMatchObject(stale);
    profile.health = 'True';
    expect((await pool.connect(ref)).client).not.toBe(client);
  });

  test('moves to a changed address at the next call; what is under way finishes, what comes later is refused', async () => {
    const { client } = await pool.connect(ref);
    const held: ServerResponse[] = [];
    spoke.override('/api/v1/namespaces/default/configmaps/one', (response) => held.push(response));
    const underWay = client.get(oneConfigMap);
    await until('the request', 10_000, () => Promise.resolve(held[0]));

    const other = await startFakeSpoke('uid-2', ['first']);
    cleanups.push(() => other.close());
    profile.cluster = { server: other.server };
    await expect(pool.connect(ref)).resolves.toMatchObject({ clusterUID: 'uid-2', server: other.server });
    await expect(client.get(oneConfigMap)).rejects.toMatchObject(stale);
    if (held[0] !== undefined) answer(held[0], 200, { metadata: { name: 'one' } });
    await expect(underWay).resolves.toMatchObject({ metadata: { name: 'one' } });
  });

  test('ends a watch on the former connection with RemoteClusterStale', async () => {
    const { client } = await pool.connect(ref);
    const watching = (async () => {
      const { signal } = new AbortController();
      for await (const event of client.watch({ apiVersion: 'v1', kind: 'ConfigMap', signal })) void event;
    })();
    profile.health = 'False';
    const outcome = watching.catch((error: unknown) => error);
    await expect(pool.connect(ref)).rejects.toMatchObject({ kind: 'ClusterProfileNotReady' });
    expect(await outcome).toMatchObject(stale);
  });

  test('takes a changed provider file at the next call', async () => {
    await pool.connect(ref);
    const command = await scripts.shell('other', print(credentialJson({ token: 'second' })));
    provider = { command, args: [] };
    await pool.connect(ref);
    expect(await scripts.runs('other')).toBe(1);
  });

  test('does not let an older read of the profile undo a newer one', async () => {
    const other = await startFakeSpoke('uid-2', ['first']);
    cleanups.push(() => other.close());
    const old = readProfile();
    let slow: (() => void) | undefined;
    const reads = [() => new Promise<typeof old>((resolve) => (slow = () => resolve(old)))];
    const racing = createPool({
      readProfile: () => (reads.shift() ?? (() => Promise.resolve(readProfile())))(),
    });
    const late = racing.connect(ref);
    profile.cluster = { server: other.server };
    const { client } = await racing.connect(ref);
    slow?.();
    expect(await late).toMatchObject({ clusterUID: 'uid-2', client });
  });

  test('ends the wait of a caller that gives up and goes on for the others', async () => {
    const held: ServerResponse[] = [];
    spoke.override(kubeSystemPath, (response) => held.push(response));
    const impatient = new AbortController();
    const first = pool.connect(ref, { signal: impatient.signal });
    const second = pool.connect(ref);
    await until('the request', 10_000, () => Promise.resolve(held[0]));
    const outcome = first.catch((error: unknown) => error);
    const reason = new Error('enough');
    impatient.abort(reason);
    expect(await outcome).toBe(reason);
    for (const response of held) answer(response, 200, { metadata: { name: 'kube-system', uid: 'uid-1' } });
    await expect(second).resolves.toMatchObject({ clusterUID: 'uid-1' });
  });

  test('says that access to spokes is off in the published words, but says first that a profile is unhealthy', async () => {
    const disabled = createPool({
      providerFile: {
        current: () =>
          Promise.reject(
            new OperatorError(
              'MulticlusterDisabled',
              'multi-cluster support is disabled: set --clusterprofile-provider-file to enable',
            ),
          ),
      },
    });
    await expect(disabled.connect(ref)).rejects.toMatchObject({
      kind: 'MulticlusterDisabled',
      message:
        'failed to build config from ClusterProfile fleet/one: multi-cluster support is disabled: set --clusterprofile-provider-file to enable',
    });
    profile.health = 'False';
    await expect(disabled.connect(ref)).rejects.toMatchObject({ kind: 'ClusterProfileNotReady' });
  });

  test.each([
    ['MulticlusterDisabled', 'the hub does not know the kind', 'KindUnavailable'],
    ['ClusterProfileNotFound', 'the hub knows the kind', 'NotFound'],
  ] as const)('says %s without provider file and profile when %s', async (kind, _, cause) => {
    const off = new OperatorError('MulticlusterDisabled', 'multi-cluster support is disabled');
    const missing = new OperatorError('ClusterProfileNotFound', 'failed to get', {
      cause: new OperatorError(cause, 'no'),
    });
    const unprepared = createPool({
      providerFile: { current: () => Promise.reject(off) },
      readProfile: () => Promise.reject(missing),
    });
    await expect(unprepared.connect(ref)).rejects.toMatchObject({ kind });
  });

  test('closes a connection that nobody uses and connects anew when it is needed again', async () => {
    const brief = createPool({ idleMs: 30 });
    const { client } = await brief.connect(ref);
    const idle = await until('the end of the idle connection', 10_000, async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return client.get(oneConfigMap).then(
        () => undefined,
        (error: unknown) => error,
      );
    });
    expect(idle).toMatchObject(stale);
    await expect(brief.connect(ref)).resolves.toMatchObject({ clusterUID: 'uid-1' });
  });

  test('refuses every call once it is closed', async () => {
    const { client } = await pool.connect(ref);
    await pool.close();
    const closed = { kind: 'RemoteClusterStale' };
    await expect(pool.connect(ref)).rejects.toMatchObject(closed);
    await expect(client.get(oneConfigMap)).rejects.toMatchObject(closed);
  });
});
