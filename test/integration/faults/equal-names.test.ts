import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { parseAccessConfig } from '../../../adapters/access/access-config.ts';
import { createCredentialCache } from '../../../adapters/access/credential-cache.ts';
import type { CredentialCache } from '../../../adapters/access/credential-cache.ts';
import { runExecPlugin } from '../../../adapters/access/exec-plugin.ts';
import type { SpokeAccess } from '../../../adapters/access/target-access.ts';
import { createClusterProfiles } from '../../../adapters/hub/cluster-profiles.ts';
import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';
import { loadHubConnection } from '../../../adapters/kubernetes/hub-connection.ts';
import { createSpokePool } from '../../../adapters/spokes/spoke-pool.ts';
import { ensureNamespace, operatorNamespace } from '../../../dev/operator/prepare-hub.ts';
import {
  installClusterProfileCrd,
  registerSpoke,
  setProfileStatus,
} from '../../../dev/operator/register-spoke.ts';
import { temporaryFolder } from '../../../dev/processes/reaper.ts';
import { recordAt } from '../../../domain/manifests/object.ts';
import type { ProvidedCluster } from '../../support/global-setup.ts';

const namespace = 'equal-names';
const extensionPrefix = 'clusterprofiles.multicluster.x-k8s.io/exec/';

const { hub, spokes } = inject('fleet');
const [blue, otherHub] = spokes;
if (blue === undefined || otherHub === undefined) throw new Error('two spokes are needed');

/** Two hubs with profiles of the same names that lead to different clusters by a provider of the same name. */
const entries = [
  { hub, name: 'one', cluster: blue, tenant: 'a-one' },
  { hub, name: 'two', cluster: otherHub, tenant: 'a-two' },
  { hub: otherHub, name: 'one', cluster: hub, tenant: 'b-one' },
  { hub: otherHub, name: 'two', cluster: blue, tenant: 'b-two' },
] as const;

const extensionsOf = (tenant: string): readonly object[] => [
  { name: 'client.authentication.k8s.io/exec', extension: { tenant, nested: { path: [tenant] } } },
  { name: `${extensionPrefix}additional-args`, extension: { args: ['--tenant', tenant] } },
  { name: `${extensionPrefix}additional-envs`, extension: { TENANT: tenant } },
];

describe('provider entries of equal names on two hubs', () => {
  let folder: string;
  let credentials: CredentialCache;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    folder = await temporaryFolder();
    await writePlugin(join(folder, 'plugin'));
    for (const one of [hub, otherHub]) {
      await ensureNamespace(one, operatorNamespace);
      await installClusterProfileCrd(one);
    }
    for (const { hub: on, name, cluster, tenant } of entries) {
      await writeFile(join(folder, tenant), cluster.token);
      await registerSpoke({ hub: on, spoke: { ...cluster, name }, namespace });
      const authority = Buffer.from(cluster.caPem).toString('base64');
      const described = {
        server: cluster.server,
        'certificate-authority-data': authority,
        extensions: extensionsOf(tenant),
      };
      await setProfileStatus(
        on,
        { namespace, name },
        { accessProviders: [{ name: 'vault', cluster: described }] },
      );
    }
    // One cache for both hubs is the hardest case: a process that serves only one hub has less to confuse.
    credentials = createCredentialCache({
      run: (call, signal) => runExecPlugin(call, { signal, environment: { PATH: process.env['PATH'] } }),
    });
  });

  afterAll(async () => {
    await Promise.all(closing.map((close) => close()));
  });

  function accessThrough(of: ProvidedCluster): SpokeAccess {
    const client = createClusterClient(loadHubConnection(of.kubeconfigPath), { fieldManager: 'test' });
    const execConfig = {
      command: join(folder, 'plugin'),
      args: ['--hub'],
      apiVersion: 'client.authentication.k8s.io/v1',
      provideClusterInfo: true,
    };
    const provider = {
      name: 'vault',
      execConfig,
      profileSourcedCLIArgsPolicy: 'Append',
      profileSourcedEnvVarsPolicy: 'AppendIfNotExists',
    };
    const pool = createSpokePool({
      readProfile: (ref, signal) => createClusterProfiles(client).read(ref, signal),
      providerFile: {
        current: () => Promise.resolve(parseAccessConfig(JSON.stringify({ providers: [provider] }))),
      },
      credentials,
      createClient: (settings) => createClusterClient(settings, { fieldManager: 'test' }),
    });
    closing.push(
      () => pool.close(),
      () => client.close(),
    );
    return pool;
  }

  test('lead each to its own cluster, and each plugin run sees exactly its own extensions', async () => {
    const access = new Map([hub, otherHub].map((one) => [one, accessThrough(one)]));
    const asked = [1, 2, 3].flatMap(() => entries);
    const connect = async (on: ProvidedCluster, name: string) => access.get(on)?.connect({ namespace, name });
    const reached = await Promise.all(asked.map(({ hub: on, name }) => connect(on, name)));
    const uids = new Map(
      await Promise.all([hub, blue, otherHub].map(async (one) => [one, await uidOf(one)] as const)),
    );
    expect(reached.map((target) => target?.clusterUID)).toEqual(
      asked.map(({ cluster }) => uids.get(cluster)),
    );
    const runs = (await readFile(join(folder, 'plugin.log'), 'utf8')).trim().split('\n').toSorted();
    expect(runs.map(seenBy)).toEqual(
      entries.map(({ tenant, cluster }) => ({
        tenant,
        args: `--hub --tenant ${tenant}`,
        config: { tenant, nested: { path: [tenant] } },
        server: cluster.server,
      })),
    );
  });
});

async function uidOf(cluster: ProvidedCluster): Promise<string | undefined> {
  const client: ClusterClient = createClusterClient(loadHubConnection(cluster.kubeconfigPath), {
    fieldManager: 'test',
  });
  try {
    return (await client.get({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' }))?.metadata.uid;
  } finally {
    await client.close();
  }
}

/** Records what it was given, and answers with the token of the tenant that its environment names. */
async function writePlugin(path: string): Promise<void> {
  const script = [
    '#!/bin/sh',
    `printf '%s\\t%s\\t%s\\n' "$TENANT" "$*" "$KUBERNETES_EXEC_INFO" >> "$0.log"`,
    'token=$(cat "$(dirname "$0")/$TENANT")',
    `printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}' "$token"`,
    '',
  ];
  await writeFile(path, script.join('\n'));
  await chmod(path, 0o755);
}

function seenBy(line: string): object {
  const [tenant, args, input = ''] = line.split('\t');
  const { config, server } = recordAt(JSON.parse(input), 'spec', 'cluster');
  return { tenant, args, config, server };
}
