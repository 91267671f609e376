import type { Cluster, User } from '@kubernetes/client-node';

import { parseAccessConfig } from '../access/access-config.ts';
import { createCredentialCache } from '../access/credential-cache.ts';
import { runExecPlugin } from '../access/exec-plugin.ts';
import type { ConnectionSettings } from './connection-settings.ts';

/**
 * The credentials of a kubeconfig user with an exec plugin, as clouds make them. It runs with the whole environment of
 * this process, as under kubectl, and without a terminal. Throws AccessProviderFailed for a configuration that cannot be
 * used.
 */
export function credentialsFromPlugin(
  user: User,
  cluster: Cluster,
): Pick<ConnectionSettings, 'credential' | 'renewCredential'> {
  const provider = { name: `user ${user.name}`, execConfig: user.exec as unknown };
  const exec = parseAccessConfig(JSON.stringify({ providers: [provider] })).providers[0]?.execConfig;
  const { command = '', args = [], env = [], apiVersion = '', installHint = '' } = exec ?? {};
  const own = Object.entries(process.env).map(([name, value]) => ({ name, value: value ?? '' }));
  const cache = createCredentialCache({ run: (call, signal) => runExecPlugin(call, { signal }) });
  const clusterInfo = exec?.provideClusterInfo === true ? clusterInfoOf(cluster) : undefined;
  const call = { command, args, env: [...own, ...env], apiVersion, installHint, clusterInfo };
  const source = cache.source(call, provider.name);
  return { credential: () => source.credential(), renewCredential: (refused) => source.renew(refused) };
}

function clusterInfoOf({ server, caData, tlsServerName, proxyUrl }: Cluster): Record<string, unknown> {
  return {
    server,
    ...(caData === undefined ? {} : { 'certificate-authority-data': caData }),
    ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
    ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
  };
}
