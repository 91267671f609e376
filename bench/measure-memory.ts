import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { measureOnNewGround } from '../dev/simulated-spokes/simulated-ground.ts';
import { createNamespace } from '../dev/temporal/create-namespace.ts';
import type { SimulatedRun } from '../dev/simulated-spokes/simulated-ground.ts';
import { processUsage } from './process-usage.ts';

/** What a worker holds resident with one component and with many, all idle; MB. */
export interface WorkerMemory {
  readonly components: number;
  readonly withOneMB: number;
  readonly withAllMB: number;
  readonly perComponentMB: number;
}

/** Time for what the installs left to be collected. */
const settleMs = 30_000;

/** Serving on simulated spokes, one on each, by a worker that was started for it. */
export async function measureMemory(
  run: Pick<SimulatedRun, 'releases'> & { readonly temporal: { readonly address: string } },
  components: number,
): Promise<WorkerMemory> {
  const resident = async (healthy: number): Promise<number> => {
    const namespace = `memory-${randomUUID()}`;
    const { address } = run.temporal;
    await createNamespace(address, namespace);
    let residentMB = Number.NaN;
    const whenReady = async (worker: number): Promise<void> => {
      await sleep(settleMs);
      ({ residentMB } = await processUsage(worker));
    };
    const temporal = { address, namespace };
    const { releases } = run;
    await measureOnNewGround({ temporal, releases, built: true, healthy, blackHoled: 0, whenReady });
    return residentMB;
  };
  const withOneMB = await resident(1);
  const withAllMB = await resident(components);
  return { components, withOneMB, withAllMB, perComponentMB: (withAllMB - withOneMB) / (components - 1) };
}
