import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { DemoReleases } from '../dev/demo/find-releases.ts';
import type { Operator } from '../dev/operator/start-operator.ts';
import { measureOnNewGround } from '../dev/simulated-spokes/simulated-ground.ts';
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
  /** With one spoke. */
  readonly baseMB: number;
  readonly withAllMB: number;
  readonly perComponentMB: number;
}

/** Time for what the installs left to be collected; the worker does that when it was quiet for a while. */
const settleMs = 60_000;
/** The observers of a worker that was killed go on after their heartbeat time-out. */
const takeOverMs = 150_000;

interface Sample {
  readonly installed: number;
  readonly restarted: number;
}

interface MemoryRun {
  readonly releases: DemoReleases;
  readonly temporal: { readonly address: string };
}

/** Serving and Eventing, the most that a spoke can have. */
const onEachSpoke = 2;

/** Two components on each simulated spoke, by a worker that was started for it. Rounded up to whole spokes. */
export async function measureMemory(run: MemoryRun, components: number): Promise<WorkerMemory> {
  const one = await sample(run, 1);
  const spokes = Math.ceil(components / onEachSpoke);
  const all = await sample(run, spokes);
  const resident = (baseMB: number, withAllMB: number): Resident => ({
    baseMB,
    withAllMB,
    perComponentMB: (withAllMB - baseMB) / (onEachSpoke * (spokes - 1)),
  });
  return {
    components: spokes * onEachSpoke,
    installed: resident(one.installed, all.installed),
    restarted: resident(one.restarted, all.restarted),
  };
}

async function sample({ releases, temporal }: MemoryRun, healthy: number): Promise<Sample> {
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
  const { eventing } = releases;
  await measureOnNewGround({
    temporal: place,
    releases,
    built: true,
    healthy,
    eventing,
    blackHoled: 0,
    whenReady,
  });
  if (found === undefined) throw new Error('the installs ended without a sample');
  return found;
}
