import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { parse } from 'yaml';

import { listAt, recordAt, stringAt } from '../domain/manifests/object.ts';

/** How the plugin reaches the hub. */
export interface HubAccess {
  readonly server: string;
  readonly ca: string | undefined;
  readonly serverName: string | undefined;
  readonly rejectUnauthorized: boolean;
  readonly proxyUrl: string | undefined;
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** The namespace of the context or of the Pod. */
  readonly namespace: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The current context of KUBECONFIG (of its first file that exists) or of ~/.kube/config, else the service account of
 * the Pod. Tokens, token files and client certificates are understood, exec plugins are not.
 */
export async function findHubAccess(environment: Environment): Promise<HubAccess> {
  const named = (environment['KUBECONFIG'] ?? '').split(':').filter((path) => path !== '');
  const paths = named.length > 0 ? named : [join(environment['HOME'] ?? homedir(), '.kube', 'config')];
  for (const path of paths) {
    const content = await readIfPresent(path);
    if (content !== undefined) return fromKubeconfig(path, parse(content));
  }
  if (environment['KUBERNETES_SERVICE_HOST'] !== undefined) return fromServiceAccount(environment);
  throw new Error(`no kubeconfig at ${paths.join(', ')}, and not running in a Pod; set KUBECONFIG`);
}

async function fromKubeconfig(path: string, config: unknown): Promise<HubAccess> {
  const context = named(config, 'contexts', stringAt(config, 'current-context'), 'context');
  const cluster = named(config, 'clusters', stringAt(context, 'cluster'), 'cluster');
  const user = named(config, 'users', stringAt(context, 'user'), 'user');
  const server = stringAt(cluster, 'server');
  if (server === undefined) throw new Error(`kubeconfig ${path} has no server for its current-context`);
  if (user['exec'] !== undefined) {
    throw new Error(
      `kubeconfig ${path} uses an exec plugin for the hub; use a token or a client certificate`,
    );
  }
  const read = (name: string): Promise<string | undefined> => dataOrFile(path, { ...cluster, ...user }, name);
  const tokenFile = stringAt(user, 'tokenFile');
  return {
    server,
    ca: await read('certificate-authority'),
    serverName: stringAt(cluster, 'tls-server-name'),
    rejectUnauthorized: cluster['insecure-skip-tls-verify'] !== true,
    proxyUrl: stringAt(cluster, 'proxy-url'),
    token: tokenFile === undefined ? stringAt(user, 'token') : await readTrimmed(besides(path, tokenFile)),
    cert: await read('client-certificate'),
    key: await read('client-key'),
    namespace: stringAt(context, 'namespace'),
  };
}

async function fromServiceAccount(environment: Environment): Promise<HubAccess> {
  const host = environment['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = environment['KUBERNETES_SERVICE_PORT'] ?? '443';
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: await readFile(join(accountFolder, 'ca.crt'), 'utf8'),
    serverName: undefined,
    rejectUnauthorized: true,
    proxyUrl: undefined,
    token: await readTrimmed(join(accountFolder, 'token')),
    cert: undefined,
    key: undefined,
    namespace: (await readIfPresent(join(accountFolder, 'namespace')))?.trim(),
  };
}

function named(
  config: unknown,
  list: string,
  name: string | undefined,
  field: string,
): Record<string, unknown> {
  const entry = listAt(config, list).find((candidate) => stringAt(candidate, 'name') === name);
  return { ...recordAt(entry, field) };
}

async function dataOrFile(
  kubeconfig: string,
  fields: Readonly<Record<string, unknown>>,
  name: string,
): Promise<string | undefined> {
  const data = stringAt(fields, `${name}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  const file = stringAt(fields, name);
  return file === undefined ? undefined : readFile(besides(kubeconfig, file), 'utf8');
}

/** Relative paths in a kubeconfig start at its folder. */
function besides(kubeconfig: string, file: string): string {
  return resolve(dirname(kubeconfig), file);
}

async function readTrimmed(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
