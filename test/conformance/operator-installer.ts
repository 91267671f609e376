import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Client, Connection } from '@temporalio/client';

import { cacheFolder } from '../../dev/cache/cache-folder.ts';
import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { startFleet } from '../../dev/control-plane/start-fleet.ts';
import type { Fleet } from '../../dev/control-plane/start-fleet.ts';
import { prepareHub } from '../../dev/operator/prepare-hub.ts';
import {
  installClusterProfileCrd,
  registerSpoke,
  writeProviderFile,
} from '../../dev/operator/register-spoke.ts';
import { startOperator } from '../../dev/operator/start-operator.ts';
import { temporaryFolder } from '../../dev/processes/reaper.ts';
import { startTemporal } from '../../dev/temporal/start-temporal.ts';
import { recordAt } from '../../domain/manifests/object.ts';
import { applyResource, profileNamespace, readResource } from './applied-resource.ts';
import type { Installer } from './installer.ts';
import { prepareCluster } from './prepare-cluster.ts';

export interface OperatorInstallerOptions {
  readonly releases: string;
  /** CRDs that every cluster gets before anything is installed. */
  readonly stubs: string;
}

/**
 * The real operator: Temporal, worker and starter on a hub. Each installation gets a cluster of its own: a new spoke of
 * one hub, or, to be installed locally, a new hub with an operator of its own.
 */
export function createOperatorInstaller(options: OperatorInstallerOptions): Installer {
  let shared: Promise<Ground> | undefined;
  return {
    async install(recorded, name) {
      const ground = await (recorded.local ? startGround(options) : (shared ??= startGround(options)));
      const { hub } = ground.fleet;
      const cluster = recorded.local ? hub : await ground.fleet.addCluster(name);
      const release = (): Promise<void> => (recorded.local ? ground : cluster).stop();
      try {
        if (!recorded.local) await joinFleet(hub, cluster, options.stubs);
        const place = { hub, temporal: ground.temporal, profile: name };
        const { metadata } = await applyResource(place, recorded);
        return {
          cluster,
          componentUID: metadata.uid ?? '',
          release,
          status: async () => recordAt(await readResource(place, recorded), 'status'),
          change: async (next) => void (await applyResource(place, next)),
        };
      } catch (error) {
        await release();
        throw error;
      }
    },
    async stop() {
      await (await shared)?.stop();
    },
  };
}

interface Ground {
  readonly fleet: Fleet;
  readonly temporal: Client;
  stop(): Promise<void>;
}

async function startGround(options: OperatorInstallerOptions): Promise<Ground> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const folder = await temporaryFolder();
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const temporal = await startTemporal();
    stops.push(() => temporal.stop());
    const fleet = await startFleet({ spokes: 0 });
    stops.push(() => fleet.stop());
    await prepareHub(fleet.hub);
    await installClusterProfileCrd(fleet.hub);
    await prepareCluster(fleet.hub, options.stubs);
    const providerFile = join(folder, 'providers.json');
    await writeProviderFile(providerFile);
    const operator = await startOperator({
      folder,
      kubeconfigPath: fleet.hub.kubeconfigPath,
      temporal,
      providerFile,
      releases: options.releases,
      cache: join(cacheFolder(), 'releases'),
    });
    stops.push(() => operator.stop());
    const connection = await Connection.connect({ address: temporal.address });
    stops.push(() => connection.close());
    return { fleet, temporal: new Client({ connection, namespace: temporal.namespace }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function joinFleet(hub: Cluster, spoke: Cluster, stubs: string): Promise<void> {
  await prepareCluster(spoke, stubs);
  await registerSpoke({ hub, spoke, namespace: profileNamespace });
}
