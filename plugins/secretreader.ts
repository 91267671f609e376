#!/usr/bin/env node
import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { createClusterClient } from '../adapters/kubernetes/http-cluster-client.ts';
import { loadHubConnection } from '../adapters/kubernetes/hub-connection.ts';
import { stringAt } from '../domain/manifests/object.ts';

const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

const ExecInfo = z.object({
  apiVersion: z.string(),
  spec: z.object({ cluster: z.object({ config: z.object({ clusterName: z.string().min(1) }) }) }),
});

/**
 * A credential plugin with the contract of the published `secretreader`: takes `clusterName` from the cluster config in
 * KUBERNETES_EXEC_INFO, reads Secret `<namespace>/<clusterName>` on the hub and prints its key `token`. The namespace is
 * the first argument, else the one of the Pod.
 */
async function main(): Promise<void> {
  const info = readExecInfo(process.env['KUBERNETES_EXEC_INFO']);
  const name = info.spec.cluster.config.clusterName;
  const namespace = process.argv[2] ?? readFileSync(namespaceFile, 'utf8').trim();
  const hub = createClusterClient(loadHubConnection(undefined), { fieldManager: 'secretreader' });
  try {
    const secret = await hub.get({ apiVersion: 'v1', kind: 'Secret', namespace, name });
    if (secret === undefined) throw new Error(`Secret ${namespace}/${name} does not exist on the hub`);
    const token = decode(stringAt(secret, 'data', 'token'));
    if (token === undefined) throw new Error(`Secret ${namespace}/${name} has no key token`);
    const expirationTimestamp = decode(stringAt(secret, 'data', 'expirationTimestamp'));
    const status = { token, ...(expirationTimestamp === undefined ? {} : { expirationTimestamp }) };
    process.stdout.write(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status }));
  } finally {
    await hub.close();
  }
}

function readExecInfo(text: string | undefined): z.output<typeof ExecInfo> {
  if (text === undefined)
    throw new Error('KUBERNETES_EXEC_INFO is not set; set provideClusterInfo in the provider file');
  const parsed = ExecInfo.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new Error(
    'KUBERNETES_EXEC_INFO has no spec.cluster.config.clusterName; add extension client.authentication.k8s.io/exec to the ClusterProfile',
  );
}

function decode(base64: string | undefined): string | undefined {
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('utf8').trim();
}

main().catch((error: unknown) => {
  process.stderr.write(`secretreader: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
