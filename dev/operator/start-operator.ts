import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { freePort } from '../processes/free-port.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { startServerProcess } from '../processes/server-process.ts';
import { imageEnvironment } from './image-environment.ts';
import { operatorNamespace } from './prepare-hub.ts';

export interface OperatorOptions {
  /** For logs. */
  readonly folder: string;
  readonly kubeconfigPath: string;
  /** Another identity for the starter. */
  readonly starterKubeconfigPath?: string;
  readonly temporal: { readonly address: string; readonly namespace: string };
  readonly providerFile?: string;
  /** A release directory; the bundled sample without one. */
  readonly releases?: string;
  readonly cache?: string;
  readonly workflowBundle?: string;
  /** Runs what `npm run build` made, as the image does, in place of the sources. */
  readonly built?: boolean;
  /** More environment of both processes. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Worker and starter as their users run them: two processes, each of which can be killed and started again. */
export interface Operator {
  readonly logs: { readonly worker: string; readonly starter: string };
  /** Where each serves probes and metrics, as host:port; another one after each start. */
  readonly operations: { readonly worker: string; readonly starter: string };
  /** Process ids; others after each start. */
  readonly pids: { readonly worker: number; readonly starter: number };
  startWorker(): Promise<void>;
  startStarter(): Promise<void>;
  /** SIGKILL: nothing is cleaned up. */
  killWorker(): Promise<void>;
  killStarter(): Promise<void>;
  stop(): Promise<void>;
}

type ProcessName = 'worker' | 'starter';

function entry(name: ProcessName, built: boolean): string {
  const path = built ? `../../dist/${name}/main.js` : `../../${name}/main.ts`;
  return fileURLToPath(new URL(path, import.meta.url));
}

export async function startOperator(options: OperatorOptions): Promise<Operator> {
  await mkdir(options.folder, { recursive: true });
  const logs = { worker: join(options.folder, 'worker.log'), starter: join(options.folder, 'starter.log') };
  const running: Partial<Record<ProcessName, OperatorProcess>> = {};
  const operations = { worker: '', starter: '' };
  const pids = { worker: 0, starter: 0 };
  const start = async (name: ProcessName): Promise<void> => {
    const started = await startOperatorProcess(options, name, logs[name]);
    running[name] = started;
    operations[name] = started.operations;
    pids[name] = started.pid;
  };
  const operator: Operator = {
    logs,
    operations,
    pids,
    startWorker: () => start('worker'),
    startStarter: () => start('starter'),
    killWorker: async () => running.worker?.kill(),
    killStarter: async () => running.starter?.kill(),
    async stop() {
      await Promise.all([running.starter?.stop(), running.worker?.stop(45_000)]);
    },
  };
  await Promise.all([operator.startWorker(), operator.startStarter()]);
  return operator;
}

export interface OperatorProcess extends ServerProcess {
  /** Where it serves probes and metrics, as host:port. */
  readonly operations: string;
}

/** One worker or starter more; the caller ends it. */
export async function startOperatorProcess(
  options: Omit<OperatorOptions, 'folder'>,
  name: ProcessName,
  logFile: string,
): Promise<OperatorProcess> {
  const operations = `127.0.0.1:${String(await freePort())}`;
  const started = await startServerProcess({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', entry(name, options.built === true)],
    env: { METRICS_BIND_ADDRESS: operations, ...environmentOf(options, name) },
    logFile,
  });
  return { ...started, operations };
}

function environmentOf(options: Omit<OperatorOptions, 'folder'>, name: ProcessName): NodeJS.ProcessEnv {
  const { temporal, kubeconfigPath } = options;
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    KUBECONFIG: name === 'starter' ? (options.starterKubeconfigPath ?? kubeconfigPath) : kubeconfigPath,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    OPERATOR_NAMESPACE: operatorNamespace,
    ...optional('CLUSTERPROFILE_PROVIDER_FILE', options.providerFile),
    ...optional('RELEASES_DIRECTORY', options.releases),
    ...optional('RELEASES_CACHE', options.cache),
    ...optional('WORKFLOW_BUNDLE', options.workflowBundle),
    // One starter that is killed and started again must not wait for its own Lease.
    LEADER_ELECTION: 'false',
    ...(options.built === true ? imageEnvironment() : {}),
    ...options.environment,
  };
}

function optional(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}
