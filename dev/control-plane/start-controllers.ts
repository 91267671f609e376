import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Binaries } from '../binaries/find-binaries.ts';
import { runCommand } from '../processes/run-command.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { startServerProcess } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';
import { freePort } from '../processes/free-port.ts';
import { kwokStages } from './kwok-stages.ts';
import type { ApiServer } from './start-api-server.ts';

const controllers = [
  'namespace',
  'deployment',
  'replicaset',
  'statefulset',
  'daemonset',
  'job',
  'endpoints',
  'endpointslice',
  'garbage-collector',
  'serviceaccount',
  'disruption',
  'pod-garbage-collector',
  'clusterrole-aggregation',
  'ttl-after-finished',
];

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'simulated', labels: { 'kubernetes.io/hostname': 'simulated', 'kubernetes.io/os': 'linux' } },
};

/** Starts what makes workloads really run on an API server: controllers, scheduler and a simulated node. */
export async function startControllers(binaries: Binaries, api: ApiServer): Promise<readonly ServerProcess[]> {
  const log = (name: string): string => join(api.folder, `${name}.log`);
  const kubeconfig = `--kubeconfig=${api.kubeconfigPath}`;
  const stages = join(api.folder, 'stages.yaml');
  await writeFile(stages, kwokStages.map((stage) => JSON.stringify(stage)).join('\n---\n'));
  const manager = startServerProcess({
    command: binaries['kube-controller-manager'],
    args: [
      kubeconfig,
      '--leader-elect=false',
      '--secure-port=0',
      `--service-account-private-key-file=${api.serviceAccountKey}`,
      `--controllers=${controllers.map((name) => `${name}-controller`).join(',')}`,
    ],
    logFile: log('kube-controller-manager'),
  });
  const scheduler = startServerProcess({
    command: binaries['kube-scheduler'],
    args: [kubeconfig, '--leader-elect=false', '--secure-port=0'],
    logFile: log('kube-scheduler'),
  });
  const kwok = startServerProcess({
    command: binaries.kwok,
    args: [
      kubeconfig,
      '--manage-all-nodes=true',
      `--config=${stages}`,
      `--server-address=127.0.0.1:${String(await freePort())}`,
      '--enable-crds=',
    ],
    logFile: log('kwok'),
  });
  const processes = await Promise.all([manager, scheduler, kwok]);
  await kubectl(api, ['apply', '-f', '-'], JSON.stringify(node));
  await until(`the node of ${api.name} is ready`, 60_000, async () => {
    const ready = await kubectl(api, [
      'get',
      'node',
      'simulated',
      '-o',
      'jsonpath={.status.conditions[?(@.type=="Ready")].status}',
    ]);
    return ready === 'True' ? true : undefined;
  });
  return processes;
}

/** Runs kubectl against a cluster and returns its output. */
export function kubectl(
  cluster: { kubectlPath: string; kubeconfigPath: string },
  args: readonly string[],
  input?: string,
): Promise<string> {
  return runCommand(cluster.kubectlPath, ['--kubeconfig', cluster.kubeconfigPath, ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
    ...(input === undefined ? {} : { input }),
  });
}
