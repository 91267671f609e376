import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { cacheFolder } from '../../dev/cache/cache-folder.ts';
import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { startFleet } from '../../dev/control-plane/start-fleet.ts';
import type { Fleet } from '../../dev/control-plane/start-fleet.ts';
import { ensureNamespace, prepareHub } from '../../dev/operator/prepare-hub.ts';
import {
  installClusterProfileCrd,
  registerSpoke,
  writeProviderFile,
} from '../../dev/operator/register-spoke.ts';
import { startOperator } from '../../dev/operator/start-operator.ts';
import { temporaryFolder } from '../../dev/processes/reaper.ts';
import { until } from '../../dev/processes/until.ts';
import { startTemporal } from '../../dev/temporal/start-temporal.ts';
import { listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';
import type { Expectation, Installed, Installer } from './installer.ts';
import { prepareCluster } from './prepare-cluster.ts';
import type { RecordedCase } from './recordings.ts';

export interface OperatorInstallerOptions {
  readonly releases: string;
  /** CRDs that every cluster gets before anything is installed. */
  readonly stubs: string;
}

const profileNamespace = 'fleet';
const waitMs = 240_000;
/** The recordings were taken this long after Ready, so that controllers had time to finish. */
const settleMs = 2_000;

/**
 * The real operator: Temporal, worker and starter on a hub. Each case gets a cluster of its own: a new spoke of one
 * hub, or, to be installed locally, a new hub with an operator of its own.
 */
export function createOperatorInstaller(options: OperatorInstallerOptions): Installer {
  let shared: Promise<Ground> | undefined;
  return {
    async install(recorded, expected) {
      const ground = await (recorded.local ? startGround(options) : (shared ??= startGround(options)));
      const { hub } = ground.fleet;
      const cluster = recorded.local ? hub : await ground.fleet.addCluster(recorded.name);
      const release = (): Promise<void> => (recorded.local ? ground : cluster).stop();
      try {
        if (!recorded.local) await joinFleet(hub, cluster, options.stubs);
        return { cluster, release, ...(await applyResource(hub, recorded, expected)) };
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
    return { fleet, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function joinFleet(hub: Cluster, spoke: Cluster, stubs: string): Promise<void> {
  await prepareCluster(spoke, stubs);
  await registerSpoke({ hub, spoke, namespace: profileNamespace });
}

async function applyResource(
  hub: Cluster,
  recorded: RecordedCase,
  expected: Expectation,
): Promise<Pick<Installed, 'componentUID' | 'status'>> {
  const resource = resourceOf(recorded);
  await ensureNamespace(hub, resource.metadata.namespace ?? '');
  await kubectl(hub, ['apply', '-f', '-'], JSON.stringify(resource));
  const read = async (): Promise<ManifestObject> =>
    JSON.parse(await kubectl(hub, queryFor(resource))) as ManifestObject;
  await untilAsFar(read, recorded.name, expected);
  await sleep(settleMs);
  const found = await read();
  return { componentUID: found.metadata.uid ?? '', status: recordAt(found, 'status') };
}

function queryFor({ kind, metadata }: ManifestObject): readonly string[] {
  return ['get', kind.toLowerCase(), metadata.name ?? '', '-n', metadata.namespace ?? '', '-o', 'json'];
}

/** The resource; for a spoke in a namespace of its own on the hub, because the recorded names are all the same. */
function resourceOf({ name, kind, local, metadata, spec }: RecordedCase): ManifestObject {
  const apiVersion = 'operator.knative.dev/v1beta1';
  if (local) return { apiVersion, kind, metadata, spec };
  const clusterProfileRef = { name, namespace: profileNamespace };
  return {
    apiVersion,
    kind,
    metadata: { name: metadata.name, namespace: `case-${name.replaceAll('.', '-')}` },
    spec: { ...spec, destination: { clusterProfileRef, namespace: metadata.namespace } },
  };
}

/** Ready, or, where it never will be, everything applied and waiting for workloads. */
async function untilAsFar(
  read: () => Promise<ManifestObject>,
  name: string,
  { ready }: Expectation,
): Promise<void> {
  let last = '';
  try {
    await until(`${name} is installed`, waitMs, async () => {
      const found = await read();
      const now = condition(found, 'Ready');
      last = `${stringAt(now, 'reason') ?? ''} ${stringAt(now, 'message') ?? ''}`;
      const waits = condition(found, 'DeploymentsAvailable')['status'] === 'False';
      return (ready ? now['status'] === 'True' : waits) ? true : undefined;
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}; Ready says: ${last}`, { cause: error });
  }
}

function condition(found: ManifestObject, type: string): JsonRecord {
  const conditions = listAt(found, 'status', 'conditions');
  return recordAt(conditions.find((candidate) => stringAt(candidate, 'type') === type));
}
