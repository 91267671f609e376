import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ServerProcess } from '../processes/server-process.ts';
import { startServerProcess } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';
import type { ApiAccess } from './api-call.ts';
import { callApi } from './api-call.ts';
import { kwokStages } from './kwok-stages.ts';

export interface ControllersOptions {
  readonly binaries: Readonly<Record<'kube-controller-manager' | 'kube-scheduler' | 'kwok', string>>;
  readonly folder: string;
  readonly kubeconfigPath: string;
  readonly serviceAccountKey: string;
  readonly access: ApiAccess;
}

const controllers = [
  'clusterrole-aggregation',
  'daemonset',
  'deployment',
  'disruption',
  'endpoints',
  'endpointslice',
  'garbage-collector',
  'job',
  'namespace',
  'pod-garbage-collector',
  'replicaset',
  'serviceaccount',
  'statefulset',
  'ttl-after-finished',
];

const readyMs = 120_000;

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'simulated',
    labels: {
      'kubernetes.io/hostname': 'simulated',
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
    },
  },
};

/** Starts what makes workloads run, and waits until the controllers act and the simulated node is ready. */
export async function startControllers(options: ControllersOptions): Promise<readonly ServerProcess[]> {
  const stages = join(options.folder, 'stages.yaml');
  await writeFile(stages, kwokStages.map((stage) => JSON.stringify(stage)).join('\n---\n'));
  const single = ['--leader-elect=false', '--secure-port=0'];
  const processes = await Promise.all([
    start(options, 'kube-controller-manager', [
      ...single,
      `--service-account-private-key-file=${options.serviceAccountKey}`,
      `--controllers=${controllers.map((name) => `${name}-controller`).join(',')}`,
      '--kube-api-qps=200',
      '--kube-api-burst=400',
    ]),
    start(options, 'kube-scheduler', single),
    start(options, 'kwok', ['--manage-all-nodes=true', `--config=${stages}`]),
  ]);
  try {
    const signal = AbortSignal.any(processes.map((process) => process.gone));
    await waitUntilTheyAct(options.access, signal);
    return processes;
  } catch (error) {
    await Promise.all(processes.map((process) => process.stop()));
    throw error;
  }
}

function start(
  options: ControllersOptions,
  name: keyof ControllersOptions['binaries'],
  flags: readonly string[],
): Promise<ServerProcess> {
  return startServerProcess({
    command: options.binaries[name],
    args: [`--kubeconfig=${options.kubeconfigPath}`, ...flags],
    env: { GOGC: '50' },
    logFile: join(options.folder, `${name}.log`),
  });
}

async function waitUntilTheyAct(access: ApiAccess, signal: AbortSignal): Promise<void> {
  const created = await callApi(access, '/api/v1/nodes', node);
  if (created.status !== 201 && created.status !== 409)
    throw new Error(`no node could be made: ${created.text}`);
  const nodeReady = async (): Promise<true | undefined> => {
    const answer = await callApi(access, '/api/v1/nodes/simulated');
    return /"reason":\s*"Simulated"/.test(answer.text) ? true : undefined;
  };
  await until('the simulated node is ready', readyMs, nodeReady, signal);
  const controllersAct = async (): Promise<true | undefined> => {
    const answer = await callApi(access, '/api/v1/namespaces/default/serviceaccounts/default');
    return answer.status === 200 ? true : undefined;
  };
  await until('the controllers have made a service account', readyMs, controllersAct, signal);
}
