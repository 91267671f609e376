import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundleWorkflowCode } from '@temporalio/worker';
import type { TestProject } from 'vitest/node';

import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { startFleet } from '../../dev/control-plane/start-fleet.ts';
import { temporaryFolder } from '../../dev/processes/reaper.ts';
import { startTemporal } from '../../dev/temporal/start-temporal.ts';
import { bundleOptions } from '../../worker/workflow-source.ts';

/** What a test needs to reach a cluster of the shared fleet; plain data, because it crosses processes. */
export type ProvidedCluster = Pick<
  Cluster,
  'name' | 'server' | 'token' | 'caPem' | 'caFile' | 'kubeconfigPath' | 'kubectlPath' | 'pid'
>;

declare module 'vitest' {
  interface ProvidedContext {
    fleet: { hub: ProvidedCluster; spokes: ProvidedCluster[] };
    temporal: { address: string; namespace: string; command: string };
    /** Path of the bundled workflows. */
    workflowBundle: string;
  }
}

const stops: (() => Promise<void>)[] = [];

/**
 * One Temporal server, one hub with two spokes and one workflow bundle for all integration tests. Crash tests have fleets
 * of their own only.
 */
export async function setup(project: TestProject): Promise<void> {
  const outcomes = await Promise.allSettled([
    ...(project.name === 'crash' ? [] : [provideFleet(project)]),
    provideTemporal(project),
    provideBundle(project),
  ]);
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (failures.length === 0) return;
  await teardown();
  throw new AggregateError(failures, `the servers for tests did not start: ${failures.join('\n')}`);
}

export async function teardown(): Promise<void> {
  await Promise.all(stops.splice(0).map((stop) => stop()));
}

async function provideFleet(project: TestProject): Promise<void> {
  const fleet = await startFleet({ spokes: 2 });
  stops.push(() => fleet.stop());
  project.provide('fleet', { hub: provided(fleet.hub), spokes: fleet.spokes.map(provided) });
}

async function provideTemporal(project: TestProject): Promise<void> {
  const temporal = await startTemporal();
  stops.push(() => temporal.stop());
  const { address, namespace, command } = temporal;
  project.provide('temporal', { address, namespace, command });
}

async function provideBundle(project: TestProject): Promise<void> {
  const folder = await temporaryFolder();
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
  const { code } = await bundleWorkflowCode(bundleOptions(workflowsPath));
  const path = join(folder, 'workflows.js');
  await writeFile(path, code);
  project.provide('workflowBundle', path);
}

function provided(cluster: Cluster): ProvidedCluster {
  const { name, server, token, caPem, caFile, kubeconfigPath, kubectlPath, pid } = cluster;
  return { name, server, token, caPem, caFile, kubeconfigPath, kubectlPath, pid };
}
