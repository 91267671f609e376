import type { ClusterClient, ObjectRef } from '../adapters/kubernetes/cluster-client.ts';
import { listAt, recordAt } from '../domain/manifests/object.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { until } from '../dev/processes/until.ts';
import type { BenchComponent } from './bench-components.ts';
import { resourceNamespace } from './bench-components.ts';
import type { Phase, Removal } from './measurement.ts';
import { seconds } from './stopwatch.ts';
import type { TrafficMeter } from './traffic-meter.ts';

const waitMs = 300_000;

/** Installs through the operator: creates the resource, waits for Ready, deletes it, waits until it is gone. */
export async function measureOperator(
  hub: ClusterClient,
  component: BenchComponent,
  newMeter: () => Promise<TrafficMeter>,
): Promise<{ install: Phase; removal: Removal }> {
  const { apiVersion, kind } = component.object;
  const ref: ObjectRef = { apiVersion, kind, namespace: resourceNamespace, name: component.name };
  const installMeter = await newMeter();
  const installSeconds = await seconds(async () => {
    await hub.create(component.object);
    await until(`${kind} is Ready`, waitMs, async () => (isReady(await hub.get(ref)) ? true : undefined));
  });
  const install = { seconds: installSeconds, ...(await installMeter.read()) };
  const removalMeter = await newMeter();
  const removalSeconds = await seconds(async () => {
    await hub.delete(ref);
    await until(`${kind} is gone`, waitMs, async () =>
      (await hub.get(ref, { metadataOnly: true })) === undefined ? true : undefined,
    );
  });
  const namespaceSeconds = await removalMeter.namespaceSeconds(component.installNamespace);
  const removal = { seconds: removalSeconds, namespaceSeconds, ...(await removalMeter.read()) };
  return { install, removal };
}

function isReady(resource: ManifestObject | undefined): boolean {
  return listAt(resource, 'status', 'conditions').some((condition) => {
    const { type, status } = recordAt({ condition }, 'condition');
    return type === 'Ready' && status === 'True';
  });
}
