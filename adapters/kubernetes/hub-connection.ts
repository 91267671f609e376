import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import type { Cluster, User } from '@kubernetes/client-node';

import { messageOf, OperatorError } from '../../domain/errors.ts';
import { recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { ConnectionSettings, Credential } from './connection-settings.ts';
import { credentialsFromPlugin } from './kubeconfig-plugin.ts';
import { readKubeconfig } from './kubeconfig.ts';

/** A token file is rotated by the kubelet about hourly; the new one is valid long before the old one ends. */
const tokenFileMaxAgeMs = 60_000;

/**
 * How to reach the hub: the kubeconfig that is named, else KUBECONFIG or ~/.kube/config, else the service account of
 * the Pod. Throws HubUnavailable when there is none that works.
 */
export function loadHubConnection(kubeconfig: string | undefined, context?: string): ConnectionSettings {
  const config = readKubeconfig({ kubeconfig, context });
  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    throw unavailable(
      `context "${config.currentContext}" of the kubeconfig names no cluster; set current-context`,
    );
  }
  return { ...addressOf(cluster), ...credentialOf(config.getCurrentUser(), cluster) };
}

function addressOf(cluster: Cluster): Omit<ConnectionSettings, 'credential'> {
  if (cluster.skipTLSVerify === true) {
    throw unavailable(
      'insecure-skip-tls-verify is not supported; give certificate-authority-data in its place',
    );
  }
  return {
    server: cluster.server,
    certificateAuthority: pem(cluster.caData, cluster.caFile),
    tlsServerName: cluster.tlsServerName,
    proxyUrl: cluster.proxyUrl,
  };
}

function credentialOf(
  user: User | null,
  cluster: Cluster,
): Pick<ConnectionSettings, 'credential' | 'renewCredential'> {
  if (user?.exec !== undefined && user.exec !== null) return credentialsFromPlugin(user, cluster);
  const file = tokenFileOf(user);
  if (file !== undefined) return fromTokenFile(file);
  const fixed = user === null ? undefined : fixedCredential(user);
  if (fixed === undefined) {
    throw unavailable(
      'the user of the kubeconfig has neither a token, nor a client certificate with its key, nor an exec plugin; ' +
        'passwords and tokenFile are not supported here, use one of the three or a service account',
    );
  }
  return { credential: () => Promise.resolve(fixed) };
}

function fixedCredential(user: User): Credential | undefined {
  const { token } = user;
  const clientCertificate = pem(user.certData, user.certFile);
  const clientKey = pem(user.keyData, user.keyFile);
  const hasCertificate = clientCertificate !== undefined && clientKey !== undefined;
  if (typeof token !== 'string' && !hasCertificate) return undefined;
  return { token, clientCertificate, clientKey };
}

function pem(base64: string | null | undefined, file: string | null | undefined): string | undefined {
  if (typeof base64 === 'string') return Buffer.from(base64, 'base64').toString('utf8');
  if (typeof file !== 'string') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unavailable(`a file that the kubeconfig names cannot be read: ${messageOf(error)}`);
  }
}

function tokenFileOf(user: User | null): string | undefined {
  return stringAt(recordAt({ provider: user?.authProvider }, 'provider', 'config'), 'tokenFile');
}

function fromTokenFile(path: string): Pick<ConnectionSettings, 'credential' | 'renewCredential'> {
  let cached: { readonly credential: Credential; readonly readAt: number } | undefined;
  return {
    async credential() {
      if (cached === undefined || performance.now() - cached.readAt > tokenFileMaxAgeMs) {
        cached = { credential: { token: await readToken(path) }, readAt: performance.now() };
      }
      return cached.credential;
    },
    renewCredential() {
      cached = undefined;
      return Promise.resolve();
    },
  };
}

async function readToken(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw unavailable(`the token of the service account cannot be read: ${messageOf(error)}`);
  }
}

function unavailable(message: string): OperatorError {
  return new OperatorError('HubUnavailable', message);
}
