import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Operator } from '../dev/operator/start-operator.ts';
import { measureOnNewGround } from '../dev/simulated-spokes/simulated-ground.ts';
import type { SimulatedRun } from '../dev/simulated-spokes/simulated-ground.ts';
import { createNamespace } from '../dev/temporal/create-namespace.ts';
import { processUsage } from './process-usage.ts';

/** What a worker holds resident, MB. */
export interface WorkerMemory {
  readonly components: number;
  /** Of the worker that installed them, a while after the last became Ready. */
  readonly installed: Resident;
  /** Of one that was started when all were Ready: what looking after them takes. */
  readonly restarted: Resident;
}

export interface Resident {
  readonly withOneMB: number;
  readonly withAllMB: number;
  readonly perComponentMB: number;
}

/** Time for what the installs left to be collected. */
const settleMs = 30_000;
/** The observers of a worker that was killed go on after their heartbeat time-out. */
const takeOverMs = 150_000;

interface Sample {
  readonly installed: number;
  readonly restarted: number;
}

/** Serving on simulated spokes, one on each, by a worker that was started for it. */
export async function measureMemory(
  run: Pick<SimulatedRun, 'releases'> & { readonly temporal: { readonly address: string } },
  components: number,
): Promise<WorkerMemory> {
  const one = await sample(run, 1);
  const all = await sample(run, components);
  const resident = (withOneMB: number, withAllMB: number): Resident => ({
    withOneMB,
    withAllMB,
    perComponentMB: (withAllMB - withOneMB) / (components - 1),
  });
  return {
    components,
    installed: resident(one.installed, all.installed),
    restarted: resident(one.restarted, all.restarted),
  };
}

async function sample(
  { releases, temporal }: Parameters<typeof measureMemory>[0],
  healthy: number,
): Promise<Sample> {
  const namespace = `memory-${randomUUID()}`;
  const { address } = temporal;
  await createNamespace(address, namespace);
  let found: Sample | undefined;
  const whenReady = async (operator: Operator): Promise<void> => {
    await sleep(settleMs);
    const installed = (await processUsage(operator.pids.worker)).residentMB;
    await operator.killWorker();
    await operator.startWorker();
    await sleep(takeOverMs);
    found = { installed, restarted: (await processUsage(operator.pids.worker)).residentMB };
  };
  const place = { address, namespace };
  await measureOnNewGround({ temporal: place, releases, built: true, healthy, blackHoled: 0, whenReady });
  if (found === undefined) throw new Error('the installs ended without a sample');
  return found;
}
