import { establishedKinds } from '../activities/apply/established-kinds.ts';
import type { EstablishedKinds } from '../activities/apply/established-kinds.ts';
import { convertingCrds, dropConversion } from '../activities/finalize/drop-conversion.ts';
import type { ClusterClient, ObjectRef } from '../adapters/kubernetes/cluster-client.ts';
import { until } from '../dev/processes/until.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { readinessOf } from '../domain/manifests/readiness.ts';
import { groupByStage } from '../domain/manifests/stages.ts';
import type { BenchComponent } from './bench-components.ts';
import type { Phase, Removal } from './measurement.ts';
import { seconds } from './stopwatch.ts';
import type { TrafficMeter } from './traffic-meter.ts';

const waitMs = 300_000;

export interface FloorWork {
  readonly component: BenchComponent;
  readonly objects: readonly ManifestObject[];
  /** New for each measurement: it begins without connection and discovery. */
  readonly client: ClusterClient;
  readonly newMeter: () => Promise<TrafficMeter>;
}

/**
 * What remains without an operator: the same objects in the same stages, sent by one client with the operator's limits,
 * nothing recorded and nothing verified; then everything deleted at once, CRDs aside, and the namespace after that.
 */
export async function measureFloor(work: FloorWork): Promise<{ install: Phase; removal: Removal }> {
  const installMeter = await work.newMeter();
  const installSeconds = await seconds(() => install(work));
  const installed = { seconds: installSeconds, ...(await installMeter.read()) };
  const removalMeter = await work.newMeter();
  const removalSeconds = await seconds(() => remove(work));
  const namespaceSeconds = await removalMeter.namespaceSeconds(work.component.installNamespace);
  const removal = { seconds: removalSeconds, namespaceSeconds, ...(await removalMeter.read()) };
  return { install: installed, removal };
}

async function install({ client, objects }: FloorWork): Promise<void> {
  const signal = AbortSignal.timeout(waitMs);
  let kinds: EstablishedKinds | undefined;
  for (const stage of groupByStage(objects)) {
    if (stage.afterDefinitions) await kinds?.of(stage.objects);
    await Promise.all(stage.objects.map((object) => client.apply(object, { metadataOnly: true, signal })));
    const crds = stage.definitions;
    if (crds.length > 0) kinds = establishedKinds(client, { crds, created: true }, signal);
  }
  const deployments = objects.filter((object) => object.kind === 'Deployment');
  const namespaces = new Set(deployments.map((object) => object.metadata.namespace ?? ''));
  await Promise.all(
    [...namespaces].map((namespace) => {
      const names = deployments
        .filter((object) => object.metadata.namespace === namespace)
        .map((object) => object.metadata.name);
      return deploymentsAvailable(client, namespace, new Set(names));
    }),
  );
}

async function deploymentsAvailable(
  client: ClusterClient,
  namespace: string,
  names: ReadonlySet<string | undefined>,
): Promise<void> {
  await until(`the Deployments in ${namespace} are available`, waitMs, async () => {
    const live = await client.list('apps/v1', 'Deployment', { namespace });
    const ready = live.filter((object) => names.has(object.metadata.name) && readinessOf(object).ready);
    return ready.length === names.size ? true : undefined;
  });
}

async function remove({ client, component, objects }: FloorWork): Promise<void> {
  await dropConversion(client, await convertingCrds(client, component.kind));
  const staying = ['CustomResourceDefinition', 'Namespace'];
  const going = objects.filter((object) => !staying.includes(object.kind));
  await Promise.all(going.map((object) => client.delete(refOf(object))));
  const namespaces = objects.filter((object) => object.kind === 'Namespace').map(refOf);
  await Promise.all(
    namespaces.map(async (ref) => {
      await client.delete(ref);
      await until(`namespace ${ref.name} is gone`, waitMs, async () =>
        (await client.get(ref, { metadataOnly: true })) === undefined ? true : undefined,
      );
    }),
  );
}

function refOf({ apiVersion, kind, metadata }: ManifestObject): ObjectRef {
  return { apiVersion, kind, namespace: metadata.namespace, name: metadata.name ?? '' };
}
