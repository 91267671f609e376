import { runCommand } from '../processes/run-command.ts';
import type { Cluster } from './cluster.ts';

/** Runs kubectl as the cluster's administrator and returns its standard output. */
export function kubectl(
  cluster: Pick<Cluster, 'kubectlPath' | 'kubeconfigPath'>,
  args: readonly string[],
  input?: string,
): Promise<string> {
  return runCommand(cluster.kubectlPath, ['--kubeconfig', cluster.kubeconfigPath, ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
    ...(input === undefined ? {} : { input }),
  });
}
