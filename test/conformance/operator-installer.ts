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
import type { Installed, Installer } from './installer.ts';
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

/** The real operator: Temporal, worker and starter on a hub, and one new spoke for each case that is not local. */
export async function startOperatorInstaller(options: OperatorInstallerOptions): Promise<Installer> {
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
    return { install: (recorded) => install(recorded, fleet, options.stubs), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function install(recorded: RecordedCase, fleet: Fleet, stubs: string): Promise<Installed> {
  const cluster = recorded.local ? fleet.hub : await fleet.addCluster(recorded.name);
  const release = recorded.local ? async () => undefined : () => cluster.stop();
  try {
    if (!recorded.local) {
      await prepareCluster(cluster, stubs);
      await registerSpoke({ hub: fleet.hub, spoke: cluster, namespace: profileNamespace });
    }
    const resource = resourceOf(recorded);
    await ensureNamespace(fleet.hub, resource.metadata.namespace ?? '');
    await kubectl(fleet.hub, ['apply', '-f', '-'], JSON.stringify(resource));
    const found = await untilAsFar(fleet.hub, resource, recorded);
    await sleep(settleMs);
    return { cluster, componentUID: found.metadata.uid ?? '', status: recordAt(found, 'status'), release };
  } catch (error) {
    await release();
    throw error;
  }
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

/** Ready, or, where the recorded one never was, everything applied and waiting for workloads. */
async function untilAsFar(
  hub: Cluster,
  { kind, metadata }: ManifestObject,
  recorded: RecordedCase,
): Promise<ManifestObject> {
  const query = [
    'get',
    kind.toLowerCase(),
    metadata.name ?? '',
    '-n',
    metadata.namespace ?? '',
    '-o',
    'json',
  ];
  let last = '';
  try {
    return await until(`${recorded.name} is installed`, waitMs, async () => {
      const found = JSON.parse(await kubectl(hub, query)) as ManifestObject;
      const ready = condition(found, 'Ready');
      last = `${stringAt(ready, 'reason') ?? ''} ${stringAt(ready, 'message') ?? ''}`;
      const far = recorded.ready
        ? ready['status'] === 'True'
        : condition(found, 'DeploymentsAvailable')['status'] === 'False';
      return far ? found : undefined;
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}; Ready says: ${last}`, { cause: error });
  }
}

function condition(found: ManifestObject, type: string): JsonRecord {
  const conditions = listAt(found, 'status', 'conditions');
  return recordAt(conditions.find((candidate) => stringAt(candidate, 'type') === type));
}
