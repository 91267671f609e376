import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cacheFolder } from '../cache/cache-folder.ts';
import { startFleet } from '../control-plane/start-fleet.ts';
import { ensureNamespace, prepareHub } from '../operator/prepare-hub.ts';
import { installClusterProfileCrd, providerName } from '../operator/register-spoke.ts';
import { startOperator } from '../operator/start-operator.ts';
import type { Operator } from '../operator/start-operator.ts';
import { temporaryFolder } from '../processes/reaper.ts';
import type { Installs } from './measure-installs.ts';
import { measureInstalls } from './measure-installs.ts';

export interface SimulatedRun {
  readonly temporal: { readonly address: string; readonly namespace: string };
  readonly releases: { readonly root: string; readonly serving: string };
  readonly workflowBundle?: string;
  /** Runs what `npm run build` made. */
  readonly built?: boolean;
  readonly healthy: number;
  readonly blackHoled: number;
  /** Version of an Eventing on every healthy spoke beside Serving. */
  readonly eventing?: string;
  /** For all healthy spokes to become ready. */
  readonly withinMs?: number;
  /** Called when all healthy spokes are ready, before anything ends. */
  readonly whenReady?: (operator: Operator) => Promise<void>;
}

const namespace = 'platform';

/**
 * Starts a real hub and a new worker and starter, measures one round of installs on simulated spokes, and ends them all.
 * The Temporal namespace must be new: what an earlier run left there would be worked on as well.
 */
export async function measureOnNewGround(run: SimulatedRun): Promise<Installs> {
  const folder = await temporaryFolder();
  const fleet = await startFleet({ spokes: 0 });
  try {
    const { hub } = fleet;
    await prepareHub(hub);
    await ensureNamespace(hub, namespace);
    await installClusterProfileCrd(hub);
    const providerFile = join(folder, 'providers.json');
    await writeFile(providerFile, JSON.stringify({ providers: [staticProvider] }));
    const operator = await startOperator({
      folder,
      kubeconfigPath: hub.kubeconfigPath,
      temporal: run.temporal,
      providerFile,
      releases: run.releases.root,
      cache: join(cacheFolder(), 'releases'),
      built: run.built === true,
      ...(run.workflowBundle === undefined ? {} : { workflowBundle: run.workflowBundle }),
    });
    try {
      const { healthy, blackHoled, withinMs, eventing } = run;
      const more = {
        ...(withinMs === undefined ? {} : { withinMs }),
        ...(eventing === undefined ? {} : { eventing }),
      };
      const version = run.releases.serving;
      const whenReady = (): Promise<void> => run.whenReady?.(operator) ?? Promise.resolve();
      return await measureInstalls({ hub, namespace, healthy, blackHoled, version, whenReady, ...more });
    } finally {
      await operator.stop();
    }
  } finally {
    await fleet.stop();
  }
}

/** A plugin that costs next to nothing: fifty that start Node.js at once would be what is measured. */
const credential = {
  apiVersion: 'client.authentication.k8s.io/v1',
  kind: 'ExecCredential',
  status: { token: 'simulated-spokes-take-any' },
};

const staticProvider = {
  name: providerName,
  execConfig: {
    command: '/bin/echo',
    args: [JSON.stringify(credential)],
    apiVersion: 'client.authentication.k8s.io/v1',
    provideClusterInfo: true,
  },
};
