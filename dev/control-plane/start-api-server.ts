import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Agent, request } from 'undici';

import type { Binaries } from '../binaries/find-binaries.ts';
import { freePort } from '../processes/free-port.ts';
import { logTail, startServerProcess } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';
import type { Cluster } from './cluster.ts';
import type { EgressSink } from './egress-sink.ts';
import { startEgressSink } from './egress-sink.ts';
import { kubeconfigOf } from './kubeconfig.ts';

export interface ApiServerOptions {
  readonly name: string;
  /** A folder of its own. */
  readonly folder: string;
  readonly etcdUrl: string;
  /** More users: token to name and groups. */
  readonly users?: readonly { readonly token: string; readonly user: string; readonly groups: readonly string[] }[];
}

export interface ApiServer extends Cluster {
  readonly sink: EgressSink;
  readonly serviceAccountKey: string;
  readonly folder: string;
}

const readyMs = 90_000;

/** Starts a kube-apiserver that never dials out: webhook admission off, all egress to a socket of ours that refuses. */
export async function startApiServer(binaries: Binaries, options: ApiServerOptions): Promise<ApiServer> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const sink = await startEgressSink(options.folder, options.name);
  const token = randomUUID();
  const serviceAccountKey = await writeKeys(options.folder);
  await writeTokens(options, token);
  const port = await freePort();
  const logFile = join(options.folder, 'kube-apiserver.log');
  const process_ = await startServerProcess({
    command: binaries['kube-apiserver'],
    args: apiServerArgs(options, { port, egressConfig: sink.configFile }),
    env: { ...process.env, GOGC: '50' },
    logFile,
  });
  const server = `https://127.0.0.1:${String(port)}`;
  const stop = async (): Promise<void> => {
    process_.resume();
    await process_.stop();
    await sink.stop();
  };
  try {
    await until(`API server ${options.name} is ready`, readyMs, () => isReady(server, token));
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}\n${await logTail(logFile)}`);
  }
  const caPem = await readFile(join(options.folder, 'certs', 'apiserver.crt'), 'utf8');
  const kubeconfigPath = join(options.folder, 'kubeconfig');
  await writeFile(kubeconfigPath, kubeconfigOf({ server, caPem, token }), { mode: 0o600 });
  return {
    name: options.name,
    folder: options.folder,
    server,
    token,
    caPem,
    kubeconfigPath,
    kubectlPath: binaries.kubectl,
    pid: process_.pid,
    sink,
    serviceAccountKey,
    pause: () => process_.pause(),
    resume: () => process_.resume(),
    stop,
  };
}

function apiServerArgs(options: ApiServerOptions, more: { port: number; egressConfig: string }): string[] {
  const { folder } = options;
  return [
    `--etcd-servers=${options.etcdUrl}`,
    `--etcd-prefix=/${options.name}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${String(more.port)}`,
    `--cert-dir=${join(folder, 'certs')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,MutatingAdmissionWebhook,ValidatingAdmissionWebhook',
    `--egress-selector-config-file=${more.egressConfig}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    '--allow-privileged=true',
    '--v=0',
  ];
}

async function writeKeys(folder: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const path = join(folder, 'sa.key');
  await writeFile(path, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  await writeFile(join(folder, 'sa.pub'), createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
  return path;
}

async function writeTokens(options: ApiServerOptions, admin: string): Promise<void> {
  const users = [{ token: admin, user: 'admin', groups: ['system:masters'] }, ...(options.users ?? [])];
  const lines = users.map(({ token, user, groups }) => `${token},${user},${user},"${groups.join(',')}"`);
  await writeFile(join(options.folder, 'tokens.csv'), `${lines.join('\n')}\n`, { mode: 0o600 });
}

async function isReady(server: string, token: string): Promise<true | undefined> {
  // The server makes its certificate while it starts, so this first question cannot check it yet.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const answer = await request(`${server}/readyz`, {
      dispatcher,
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.body.dump();
    return answer.statusCode === 200 ? true : undefined;
  } finally {
    await dispatcher.destroy();
  }
}
