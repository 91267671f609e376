import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { KubeConfig } from '@kubernetes/client-node';
import type { User } from '@kubernetes/client-node';

import { OperatorError } from '../../domain/errors.ts';
import type { ConnectionSettings, Credential } from './connection-settings.ts';

/** A token file is rotated by the kubelet about hourly; the new one is valid long before the old one ends. */
const tokenFileMaxAgeMs = 60_000;

/**
 * How to reach the hub: the kubeconfig that is named, else KUBECONFIG or ~/.kube/config, else the service account of
 * the Pod. The client library only reads the configuration. Throws HubUnavailable when there is none that works.
 */
export function loadHubConnection(kubeconfig: string | undefined): ConnectionSettings {
  const config = readConfig(kubeconfig);
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  if (cluster === null) throw new OperatorError('HubUnavailable', 'no kubeconfig, and not running in a Pod');
  if (user?.exec !== undefined && user.exec !== null) {
    throw new OperatorError(
      'HubUnavailable',
      'the hub kubeconfig uses an exec plugin; use a token, a client certificate or a service account',
    );
  }
  return {
    server: cluster.server,
    certificateAuthority: pem(cluster.caData, cluster.caFile),
    tlsServerName: cluster.tlsServerName,
    proxyUrl: cluster.proxyUrl,
    credential: credentialOf(user),
  };
}

function readConfig(kubeconfig: string | undefined): KubeConfig {
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
    return config;
  } catch (error) {
    throw new OperatorError('HubUnavailable', `the kubeconfig cannot be read: ${(error as Error).message}`);
  }
}

function credentialOf(user: User | null): () => Promise<Credential> {
  const tokenFile = tokenFileOf(user?.authProvider);
  if (tokenFile !== undefined) return fromTokenFile(tokenFile);
  const fixed: Credential = {
    token: user?.token,
    clientCertificate: pem(user?.certData, user?.certFile),
    clientKey: pem(user?.keyData, user?.keyFile),
  };
  return async () => fixed;
}

function pem(base64: string | null | undefined, file: string | null | undefined): string | undefined {
  if (typeof base64 === 'string') return Buffer.from(base64, 'base64').toString('utf8');
  return typeof file === 'string' ? readFileSync(file, 'utf8') : undefined;
}

function tokenFileOf(provider: unknown): string | undefined {
  if (typeof provider !== 'object' || provider === null || !('config' in provider)) return undefined;
  const { config } = provider;
  if (typeof config !== 'object' || config === null || !('tokenFile' in config)) return undefined;
  return typeof config.tokenFile === 'string' ? config.tokenFile : undefined;
}

function fromTokenFile(path: string): () => Promise<Credential> {
  let cached: { credential: Credential; readAt: number } | undefined;
  return async () => {
    if (cached === undefined || performance.now() - cached.readAt > tokenFileMaxAgeMs) {
      cached = { credential: { token: (await readFile(path, 'utf8')).trim() }, readAt: performance.now() };
    }
    return cached.credential;
  };
}
