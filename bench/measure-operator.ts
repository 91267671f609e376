import type { ClusterClient, ObjectRef } from '../adapters/kubernetes/cluster-client.ts';
import { listAt, recordAt, stringAt } from '../domain/manifests/object.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { until } from '../dev/processes/until.ts';
import type { BenchComponent } from './bench-components.ts';
import { resourceNamespace } from './bench-components.ts';
import type { Phase, Removal } from './measurement.ts';
import { seconds } from './stopwatch.ts';
import type { TrafficMeter } from './traffic-meter.ts';

const waitMs = 300_000;

/** Waits until a resource is Ready at the version that its spec wants. Rejects after five minutes. */
export async function untilReady(hub: ClusterClient, ref: ObjectRef): Promise<void> {
  await until(`${ref.kind} is Ready`, waitMs, async () => {
    const found = await hub.get(ref);
    return isReady(found) ? true : undefined;
  });
}

/** Deletes a resource and waits until it is gone. Rejects after five minutes. */
export async function removeResource(hub: ClusterClient, ref: ObjectRef): Promise<void> {
  await hub.delete(ref);
  await until(`${ref.kind} is gone`, waitMs, async () =>
    (await hub.get(ref, { metadataOnly: true })) === undefined ? true : undefined,
  );
}

/** Where the resource of a component is. */
export function resourceOf(component: BenchComponent): ObjectRef {
  const { apiVersion, kind } = component.object;
  return { apiVersion, kind, namespace: resourceNamespace, name: component.name };
}

/** Installs through the operator: creates the resource, waits for Ready, deletes it, waits until it is gone. */
export async function measureOperator(
  hub: ClusterClient,
  component: BenchComponent,
  newMeter: () => Promise<TrafficMeter>,
): Promise<{ install: Phase; removal: Removal }> {
  const ref = resourceOf(component);
  const installMeter = await newMeter();
  const installSeconds = await seconds(async () => {
    await hub.create(component.object);
    await untilReady(hub, ref);
  });
  // From here on the observer of the spoke looks at it, which is no part of the install.
  const install = { seconds: installSeconds, ...(await installMeter.read(Date.now())) };
  const removalMeter = await newMeter();
  const removalSeconds = await seconds(() => removeResource(hub, ref));
  const namespaceSeconds = await removalMeter.namespaceSeconds(component.installNamespace);
  const removal = { seconds: removalSeconds, namespaceSeconds, ...(await removalMeter.read()) };
  return { install, removal };
}

function isReady(resource: ManifestObject | undefined): boolean {
  const [wanted, version] = [stringAt(resource, 'spec', 'version'), stringAt(resource, 'status', 'version')];
  if (wanted !== version) return false;
  return listAt(resource, 'status', 'conditions').some((condition) => {
    const { type, status } = recordAt({ condition }, 'condition');
    return type === 'Ready' && status === 'True';
  });
}
