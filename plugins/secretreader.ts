#!/usr/bin/env node
import { recordAt, stringAt } from '../domain/manifests/object.ts';
import { findHubAccess } from './hub-access.ts';
import { readHubSecret } from './read-hub-secret.ts';

/*
 * A credential plugin with the contract of the published `secretreader`: takes `clusterName` from the cluster config in
 * KUBERNETES_EXEC_INFO, reads Secret `<namespace>/<clusterName>` on the hub and prints its key `token`, with its key
 * `expirationTimestamp` (RFC 3339) when there is one. The namespace is the first argument, else POD_NAMESPACE, else the
 * one of the kubeconfig's context or of the Pod.
 */

const namePattern = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

async function main(): Promise<void> {
  const info = parseInput(process.env['KUBERNETES_EXEC_INFO']);
  const hub = await findHubAccess(process.env);
  const namespace = process.argv[2] ?? process.env['POD_NAMESPACE'] ?? hub.namespace;
  if (namespace === undefined || !namePattern.test(namespace)) {
    throw new Error(
      'the namespace of the Secrets is not known; name it as the first argument in the provider file',
    );
  }
  const secret = await readHubSecret(hub, { namespace, name: info.clusterName });
  const token = secret.get('token');
  if (token === undefined || token === '') {
    throw new Error(`Secret ${namespace}/${info.clusterName} on the hub has no key token`);
  }
  const expirationTimestamp = secret.get('expirationTimestamp');
  const status = { token, ...(expirationTimestamp === undefined ? {} : { expirationTimestamp }) };
  process.stdout.write(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status }));
}

function parseInput(text: string | undefined): { apiVersion: string; clusterName: string } {
  if (text === undefined)
    throw new Error('KUBERNETES_EXEC_INFO is not set; this is started by knative-fleet or kubectl');
  const info: unknown = JSON.parse(text);
  const cluster = recordAt(info, 'spec', 'cluster');
  if (Object.keys(cluster).length === 0) {
    throw new Error(
      'KUBERNETES_EXEC_INFO has no spec.cluster; set "provideClusterInfo": true in the provider file',
    );
  }
  const clusterName = stringAt(cluster, 'config', 'clusterName') ?? '';
  if (!namePattern.test(clusterName)) {
    throw new Error(
      'spec.cluster.config.clusterName is not the name of a Secret; set it in extension client.authentication.k8s.io/exec of the ClusterProfile',
    );
  }
  return { apiVersion: stringAt(info, 'apiVersion') ?? '', clusterName };
}

main().catch((error: unknown) => {
  process.stderr.write(`secretreader: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
