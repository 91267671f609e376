import { fileURLToPath } from 'node:url';

import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';

import { parseAccessConfig } from '../../../adapters/access/access-config.ts';
import { createCredentialCache } from '../../../adapters/access/credential-cache.ts';
import { runExecPlugin } from '../../../adapters/access/exec-plugin.ts';
import type { SpokeAccess } from '../../../adapters/access/target-access.ts';
import { createClusterProfiles } from '../../../adapters/hub/cluster-profiles.ts';
import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';
import { loadHubConnection } from '../../../adapters/kubernetes/hub-connection.ts';
import { createSpokePool } from '../../../adapters/spokes/spoke-pool.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { ensureNamespace, operatorNamespace } from '../../../dev/operator/prepare-hub.ts';
import {
  installClusterProfileCrd,
  registerSpoke,
  setProfileStatus,
  writeToken,
} from '../../../dev/operator/register-spoke.ts';
import { until } from '../../../dev/processes/until.ts';
import type { ProvidedCluster } from '../../support/global-setup.ts';

const namespace = 'spoke-access';
const plugin = fileURLToPath(new URL('../../../plugins/secretreader.ts', import.meta.url));
const provider = {
  name: 'secretreader',
  execConfig: {
    command: process.execPath,
    args: [plugin, operatorNamespace],
    apiVersion: 'client.authentication.k8s.io/v1',
    provideClusterInfo: true,
  },
};

const { hub, spokes } = inject('fleet');
const pools: SpokeAccess[] = [];

/** Access to spokes through `of`, with our own plugin as a real process. */
function accessThrough(of: ProvidedCluster): SpokeAccess {
  const client = createClusterClient(loadHubConnection(of.kubeconfigPath), { fieldManager: 'test' });
  const environment = { PATH: process.env['PATH'], KUBECONFIG: of.kubeconfigPath };
  const pool = createSpokePool({
    readProfile: (ref, signal) => createClusterProfiles(client).read(ref, signal),
    providerFile: {
      current: () => Promise.resolve(parseAccessConfig(JSON.stringify({ providers: [provider] }))),
    },
    credentials: createCredentialCache({
      run: (call, signal) => runExecPlugin(call, { signal, environment }),
    }),
    createClient: (settings) => createClusterClient(settings, { fieldManager: 'test' }),
  });
  pools.push(pool, { connect: (ref) => pool.connect(ref), close: () => client.close() });
  return pool;
}

const spokeNamed = (name: string): ProvidedCluster => {
  const [spoke] = spokes;
  if (spoke === undefined) throw new Error('a spoke is needed');
  return { ...spoke, name };
};

async function register(
  name: string,
  change: Partial<ProvidedCluster> = {},
): Promise<{ namespace: string; name: string }> {
  await registerSpoke({ hub, spoke: { ...spokeNamed(name), ...change }, namespace });
  return { namespace, name };
}

beforeAll(async () => {
  await ensureNamespace(hub, operatorNamespace);
  await installClusterProfileCrd(hub);
});

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('access to a spoke', () => {
  test('leads from a ClusterProfile and a Secret on the hub to the cluster that they describe', async () => {
    const target = await accessThrough(hub).connect(await register('plain'));
    const uid = await kubectl(spokeNamed(''), [
      'get',
      'namespace',
      'kube-system',
      '-o',
      'jsonpath={.metadata.uid}',
    ]);
    expect(target).toMatchObject({
      clusterUID: uid,
      provider: 'secretreader',
      server: spokeNamed('').server,
    });
    expect(target.kubernetesVersion).toMatch(/^v1\.\d+/);
    expect(await target.client.list('v1', 'Namespace')).not.toHaveLength(0);
  });

  test('is refused for a wrong certificate authority, in words that say so', async () => {
    const ref = await register('wrong-ca', { caPem: hub.caPem });
    await expect(accessThrough(hub).connect(ref)).rejects.toMatchObject({
      kind: 'RemoteClientCreationFailed',
      message: expect.stringMatching(
        /^failed to create remote kube client: ClusterProfile spoke-access\/wrong-ca: .*certificate.*check certificate-authority-data/,
      ) as string,
    });
  });

  test('heals when the certificate authority is corrected, without a restart', async () => {
    const pool = accessThrough(hub);
    const ref = await register('healed-ca', { caPem: hub.caPem });
    await expect(pool.connect(ref)).rejects.toMatchObject({ kind: 'RemoteClientCreationFailed' });
    await register('healed-ca');
    await expect(pool.connect(ref)).resolves.toMatchObject({ provider: 'secretreader' });
  });

  test('is refused for a token that the spoke does not know, and heals when the Secret is corrected', async () => {
    const pool = accessThrough(hub);
    const ref = await register('wrong-token', { token: 'not-a-token-of-the-spoke' });
    await expect(pool.connect(ref)).rejects.toMatchObject({
      kind: 'RemoteClientCreationFailed',
      message: expect.stringContaining('answered 401') as string,
    });
    await writeToken(hub, 'wrong-token', { token: spokeNamed('').token });
    await until('the renewal', 60_000, () => pool.connect(ref));
  });

  test('names verb and resource when the account has no rights', async () => {
    const spoke = spokeNamed('no-rights');
    await ensureNamespace(spoke, namespace);
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'nobody', namespace } };
    await kubectl(spoke, ['apply', '-f', '-'], JSON.stringify(account));
    const token = (await kubectl(spoke, ['create', 'token', 'nobody', '-n', namespace])).trim();
    await expect(accessThrough(hub).connect(await register('no-rights', { token }))).rejects.toMatchObject({
      kind: 'SpokeForbidden',
      message: expect.stringMatching(
        /GET Namespace kube-system .*cannot get resource "namespaces"/,
      ) as string,
    });
  });

  test('reports the Secret that the plugin does not find', async () => {
    const ref = await register('no-secret');
    await kubectl(hub, ['delete', 'secret', 'no-secret', '-n', operatorNamespace]);
    await expect(accessThrough(hub).connect(ref)).rejects.toMatchObject({
      kind: 'AccessProviderFailed',
      message: expect.stringContaining(
        `secretreader: Secret ${operatorNamespace}/no-secret does not exist on the hub`,
      ) as string,
    });
  });

  test('takes the expiry from the Secret and refuses a token that has expired', async () => {
    const ref = await register('expired');
    await writeToken(hub, 'expired', {
      token: spokeNamed('').token,
      expirationTimestamp: '2020-01-01T00:00:00Z',
    });
    await expect(accessThrough(hub).connect(ref)).rejects.toMatchObject({
      kind: 'AccessProviderFailed',
      message: expect.stringContaining('expired at 2020-01-01T00:00:00.000Z') as string,
    });
  });

  test('ends when the profile turns unhealthy', async () => {
    const pool = accessThrough(hub);
    const ref = await register('unhealthy');
    const { client } = await pool.connect(ref);
    await setProfileStatus(hub, ref, { conditions: [] });
    await expect(pool.connect(ref)).rejects.toMatchObject({
      message: 'ClusterProfile spoke-access/unhealthy is not ready',
    });
    await expect(client.serverVersion()).rejects.toMatchObject({ kind: 'RemoteClusterStale' });
  });

  test('ends when the profile is deleted, and begins anew when it returns', async () => {
    const pool = accessThrough(hub);
    const ref = await register('returned');
    const { client, clusterUID } = await pool.connect(ref);
    await kubectl(hub, ['delete', 'clusterprofile', ref.name, '-n', namespace]);
    await expect(pool.connect(ref)).rejects.toMatchObject({ kind: 'ClusterProfileNotFound' });
    await expect(client.serverVersion()).rejects.toMatchObject({ kind: 'RemoteClusterStale' });
    await register('returned');
    await expect(pool.connect(ref)).resolves.toMatchObject({ clusterUID });
  });

  test('goes to another address, with its certificates and token, at the next call when the profile changes', async () => {
    const pool = accessThrough(hub);
    const ref = await register('moved');
    const { client, clusterUID } = await pool.connect(ref);
    const { server, caPem, token } = hub;
    await register('moved', { server, caPem, token });
    const moved = await pool.connect(ref);
    expect(moved.server).toBe(server);
    expect(moved.clusterUID).not.toBe(clusterUID);
    await expect(client.serverVersion()).rejects.toMatchObject({ kind: 'RemoteClusterStale' });
  });

  test('says ClusterProfileNotFound for a missing profile and for a hub without the CRD', async () => {
    const missing = { namespace, name: 'nobody-made-it' };
    for (const of of [hub, spokes[1] ?? hub]) {
      await expect(accessThrough(of).connect(missing)).rejects.toMatchObject({
        kind: 'ClusterProfileNotFound',
        message: expect.stringContaining(
          'failed to get ClusterProfile spoke-access/nobody-made-it: ',
        ) as string,
      });
    }
  });
});
