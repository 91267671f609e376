import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundleWorkflowCode } from '@temporalio/worker';
import type { TestProject } from 'vitest/node';

import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { startFleet } from '../../dev/control-plane/start-fleet.ts';
import type { Fleet } from '../../dev/control-plane/start-fleet.ts';
import { startTemporal } from '../../dev/temporal/start-temporal.ts';
import type { TemporalServer } from '../../dev/temporal/start-temporal.ts';

/** What a test needs to reach a cluster of the shared fleet; plain data, because it crosses processes. */
export type ProvidedCluster = Pick<
  Cluster,
  'name' | 'server' | 'token' | 'caPem' | 'kubeconfigPath' | 'kubectlPath' | 'pid'
>;

declare module 'vitest' {
  interface ProvidedContext {
    fleet: { hub: ProvidedCluster; spokes: ProvidedCluster[] };
    temporal: { address: string; namespace: string; command: string };
    workflowBundle: string;
  }
}

let running: { fleet: Fleet; temporal: TemporalServer; folder: string } | undefined;

/** One Temporal server, one hub with two spokes and one workflow bundle for all integration tests. */
export async function setup(project: TestProject): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'knative-fleet-tests-'));
  const temporal = await startTemporal({ ui: false });
  const fleet = await startFleet({ spokes: ['spoke-1', 'spoke-2'] });
  running = { fleet, temporal, folder };
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
  const { code } = await bundleWorkflowCode({ workflowsPath });
  const bundle = join(folder, 'workflows.js');
  await writeFile(bundle, code);
  project.provide('fleet', { hub: provided(fleet.hub), spokes: fleet.spokes.map(provided) });
  const { address, namespace, command } = temporal;
  project.provide('temporal', { address, namespace, command });
  project.provide('workflowBundle', bundle);
}

export async function teardown(): Promise<void> {
  await running?.fleet.stop();
  await running?.temporal.stop();
  if (running !== undefined) await rm(running.folder, { recursive: true, force: true });
}

function provided(cluster: Cluster): ProvidedCluster {
  const { name, server, token, caPem, kubeconfigPath, kubectlPath, pid } = cluster;
  return { name, server, token, caPem, kubeconfigPath, kubectlPath, pid };
}
