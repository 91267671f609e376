import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { KubeConfig } from '@kubernetes/client-node';
import type { Cluster, User } from '@kubernetes/client-node';

import { messageOf, OperatorError } from '../../domain/errors.ts';
import { recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { ConnectionSettings, Credential } from './connection-settings.ts';

/** A token file is rotated by the kubelet about hourly; the new one is valid long before the old one ends. */
const tokenFileMaxAgeMs = 60_000;

/** What the library makes up when it finds no configuration at all. */
const madeUpContext = 'loaded-context';

/**
 * How to reach the hub: the kubeconfig that is named, else KUBECONFIG or ~/.kube/config, else the service account of
 * the Pod. The client library only reads the configuration. Throws HubUnavailable when there is none that works.
 */
export function loadHubConnection(kubeconfig: string | undefined): ConnectionSettings {
  const config = readConfig(kubeconfig);
  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    throw unavailable(
      `context "${config.currentContext}" of the kubeconfig names no cluster; set current-context`,
    );
  }
  return { ...addressOf(cluster), ...credentialOf(config.getCurrentUser()) };
}

function readConfig(kubeconfig: string | undefined): KubeConfig {
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    throw unavailable(`the kubeconfig cannot be read: ${messageOf(error)}`);
  }
  if (config.currentContext !== madeUpContext) return config;
  throw unavailable('there is no kubeconfig and this is not a Pod; set KUBECONFIG');
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

function credentialOf(user: User | null): Pick<ConnectionSettings, 'credential' | 'renewCredential'> {
  const file = tokenFileOf(user);
  if (file !== undefined) return fromTokenFile(file);
  const token = user?.token;
  const clientCertificate = pem(user?.certData, user?.certFile);
  const clientKey = pem(user?.keyData, user?.keyFile);
  const hasCertificate = clientCertificate !== undefined && clientKey !== undefined;
  if (typeof token !== 'string' && !hasCertificate) {
    throw unavailable(
      'the user of the kubeconfig has neither a token nor a client certificate with its key; exec plugins, ' +
        'passwords and tokenFile are not supported here, use one of the two or a service account',
    );
  }
  const fixed: Credential = { token, clientCertificate, clientKey };
  return { credential: () => Promise.resolve(fixed) };
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
