import { setTimeout as sleep } from 'node:timers/promises';

import type { ClusterClient, ObjectRef } from '../adapters/kubernetes/cluster-client.ts';
import { until } from '../dev/processes/until.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { recordAt } from '../domain/manifests/object.ts';
import type { BenchComponent } from './bench-components.ts';
import type { BenchGround } from './bench-ground.ts';
import { removeResource, resourceOf, untilReady } from './measure-operator.ts';
import { seconds } from './stopwatch.ts';

/** Seconds from a change on the spoke until the object is as wanted again. */
export interface Repairs {
  readonly deletedDeployment: readonly number[];
  readonly editedConfigMap: readonly number[];
}

export interface DriftWork {
  readonly ground: BenchGround;
  readonly component: BenchComponent;
  /** What is applied for it. */
  readonly objects: readonly ManifestObject[];
  /** Of each change. */
  readonly times: number;
}

const settleMs = 15_000;
/** Between changes, so that none meets the pass that repairs the one before. */
const pauseMs = 2_000;
const waitMs = 120_000;

/** Changes one object after another, each time another one, so that no repair counts as a fight with another writer. */
export async function measureDrift({ ground, component, objects, times }: DriftWork): Promise<Repairs> {
  const { hub, spoke } = ground;
  const ref = resourceOf(component);
  await hub.create(component.object);
  await untilReady(hub, ref);
  await sleep(settleMs);
  const deployments = inNamespace(objects, component, 'Deployment');
  const configMaps = inNamespace(objects, component, 'ConfigMap').filter(
    (object) => Object.keys(recordAt(object, 'data')).length > 0,
  );
  const deletedDeployment: number[] = [];
  const editedConfigMap: number[] = [];
  for (let round = 0; round < times; round++) {
    deletedDeployment.push(await afterPause(hub, ref, () => deleteOne(spoke, taken(deployments, round))));
    editedConfigMap.push(await afterPause(hub, ref, () => editOne(spoke, taken(configMaps, round))));
  }
  await removeResource(hub, ref);
  return { deletedDeployment, editedConfigMap };
}

async function afterPause(
  hub: ClusterClient,
  resource: ObjectRef,
  change: () => Promise<number>,
): Promise<number> {
  const duration = await change();
  await untilReady(hub, resource);
  await sleep(pauseMs);
  return duration;
}

async function deleteOne(spoke: ClusterClient, object: ManifestObject): Promise<number> {
  const ref = refOf(object);
  const uid = (await spoke.get(ref, { metadataOnly: true }))?.metadata.uid;
  return seconds(async () => {
    await spoke.delete(ref);
    await until(`${ref.name} is there again`, waitMs, async () => {
      const found = await spoke.get(ref, { metadataOnly: true });
      return found !== undefined && found.metadata.uid !== uid ? true : undefined;
    });
  });
}

async function editOne(spoke: ClusterClient, object: ManifestObject): Promise<number> {
  const ref = refOf(object);
  const [key = '', value] = Object.entries(recordAt(object, 'data'))[0] ?? [];
  return seconds(async () => {
    await spoke.patch(ref, { type: 'merge', body: { data: { [key]: 'changed' } } });
    await until(`${ref.name} is as it was`, waitMs, async () =>
      recordAt(await spoke.get(ref), 'data')[key] === value ? true : undefined,
    );
  });
}

function inNamespace(
  objects: readonly ManifestObject[],
  { installNamespace }: BenchComponent,
  kind: string,
): readonly ManifestObject[] {
  return objects.filter((object) => object.kind === kind && object.metadata.namespace === installNamespace);
}

function taken(objects: readonly ManifestObject[], round: number): ManifestObject {
  const object = objects[round % objects.length];
  if (object === undefined) throw new Error('the release has nothing of this kind');
  return object;
}

function refOf({ apiVersion, kind, metadata }: ManifestObject): ObjectRef {
  return { apiVersion, kind, namespace: metadata.namespace, name: metadata.name ?? '' };
}
