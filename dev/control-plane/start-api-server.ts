import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { onFreePort } from '../processes/on-free-port.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { startServerProcess } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';
import type { ApiAccess } from './api-call.ts';
import { callApi } from './api-call.ts';
import type { AuditFiles } from './audit-files.ts';
import type { ApiServerFiles } from './api-server-files.ts';

export interface ApiServerOptions {
  readonly binary: string;
  readonly name: string;
  readonly folder: string;
  readonly files: ApiServerFiles;
  readonly etcdUrl: string;
  readonly egressConfig: string;
  readonly audit?: AuditFiles | undefined;
  /** Given for a restart; default: a free one. */
  readonly port?: number | undefined;
}

export interface ApiServer extends ApiAccess {
  readonly port: number;
  readonly process: ServerProcess;
}

const readyMs = 120_000;

/** Starts a kube-apiserver that never dials out, and waits until it is ready and has made its own namespaces. */
export function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const start = (port: number): Promise<ApiServer> => startOnPort(options, port);
  return options.port === undefined ? onFreePort(start) : start(options.port);
}

async function startOnPort(options: ApiServerOptions, port: number): Promise<ApiServer> {
  const process = await startServerProcess({
    command: options.binary,
    args: flagsOf(options, port),
    env: { GOGC: '50' },
    logFile: join(options.folder, 'kube-apiserver.log'),
  });
  try {
    const ready = (): Promise<ApiAccess | undefined> => readyAccess(options, port);
    const access = await until(`API server ${options.name} is ready`, readyMs, ready, process.gone);
    return { ...access, port, process };
  } catch (error) {
    await process.stop();
    throw error;
  }
}

async function readyAccess({ files }: ApiServerOptions, port: number): Promise<ApiAccess | undefined> {
  const caPem = await readFile(files.caFile, 'utf8');
  const access = { server: `https://127.0.0.1:${String(port)}`, caPem, token: files.token };
  for (const path of ['/readyz', '/api/v1/namespaces/kube-system', '/api/v1/namespaces/default']) {
    if ((await callApi(access, path)).status !== 200) return undefined;
  }
  return access;
}

/** Off by default and on in OpenShift: it asks for rights on an owner whose deletion an object blocks. */
const enabledAdmission = ['OwnerReferencesPermissionEnforcement'];

// TaintNodesByCondition would keep the simulated node tainted, as no controller here removes what it adds.
const disabledAdmission = [
  'MutatingAdmissionWebhook',
  'ServiceAccount',
  'TaintNodesByCondition',
  'ValidatingAdmissionWebhook',
];

function flagsOf(options: ApiServerOptions, port: number): string[] {
  const { name, files, etcdUrl, egressConfig, audit } = options;
  return [
    `--etcd-servers=${etcdUrl}`,
    `--etcd-prefix=/${name}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${String(port)}`,
    `--cert-dir=${files.certificates}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    `--token-auth-file=${files.tokens}`,
    '--authorization-mode=RBAC',
    `--enable-admission-plugins=${enabledAdmission.join(',')}`,
    `--disable-admission-plugins=${disabledAdmission.join(',')}`,
    `--egress-selector-config-file=${egressConfig}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    '--allow-privileged=true',
    ...(audit === undefined ? [] : [`--audit-policy-file=${audit.policy}`, `--audit-log-path=${audit.log}`]),
  ];
}
