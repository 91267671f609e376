import type { ObjectRef } from '../../adapters/kubernetes/cluster-client.ts';
import { readAbandonments } from '../../adapters/hub/read-abandonments.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { operatorNamespace } from '../../dev/operator/prepare-hub.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { until } from '../../dev/processes/until.ts';
import { dumpOwn } from '../conformance/dump.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import type { Component, ComponentView, OperatorFleet } from '../support/operator-fleet.ts';
import { applyComponent, deleteComponent, readComponent } from '../support/operator-fleet.ts';
import type { ObservedSpoke } from './observed-spoke.ts';
import type { Ending } from './recording.ts';
import { snapshot } from './snapshot.ts';

/** One resource, what its owner wants of it, and how it ended each time. */
export interface ChaosComponent {
  readonly component: Component;
  readonly spoke: ObservedSpoke;
  readonly endings: readonly Ending[];
  /** Of the last edit; on the spoke as `data.sample` of ConfigMap `config-features`. */
  readonly revision: number;
  read(): Promise<ComponentView | undefined>;
  edit(): Promise<void>;
  setPaused(paused: boolean): Promise<void>;
  /** Nothing when it is gone or going already. */
  remove(): Promise<void>;
  /** Makes it anew where it is gone; tells whether it is there and stays. */
  create(): Promise<boolean>;
  /** One of its objects on the spoke, by number; undefined without any. */
  pick(dice: number): Promise<ObjectRef | undefined>;
}

export function createChaosComponent(
  { fleet }: OperatorFleet,
  hubClient: ClusterClient,
  wanted: Component,
  spoke: ObservedSpoke,
): ChaosComponent {
  const endings: Ending[] = [];
  const state = { paused: false, revision: 1 };
  let leaving: { readonly inventory: readonly string[]; readonly uid: string } | undefined;
  const read = () => readComponent(fleet.hub, wanted);
  const write = () => {
    const config = { features: { sample: `revision-${String(state.revision)}` } };
    return applyComponent(fleet.hub, { ...wanted, spec: { ...wanted.spec, paused: state.paused, config } });
  };
  const noteEnding = async (): Promise<void> => {
    if (leaving === undefined) return;
    const { inventory, uid } = leaving;
    const records = await readAbandonments(hubClient, operatorNamespace);
    const abandoned = records.filter((record) => record.uid === uid).flatMap(({ remaining }) => remaining);
    const look = async () => (await dumpOwn(spoke.client)).map((object) => keyOf(object));
    // The collector and the namespace controller may still be at work.
    let present = await look();
    await until('nothing is left', 15_000, async () => {
      present = await look();
      return inventory.some((key) => present.includes(key)) ? undefined : true;
    }).catch(() => undefined);
    endings.push({ component: wanted.name, inventory, present, abandoned });
    leaving = undefined;
  };
  return {
    component: wanted,
    spoke,
    endings,
    get revision() {
      return state.revision;
    },
    read,
    async edit() {
      state.revision += 1;
      if (await read()) await write();
    },
    async setPaused(paused) {
      state.paused = paused;
      if (await read()) await write();
    },
    async remove() {
      const view = await read();
      if (view === undefined || view.metadata.deletionTimestamp !== undefined) return;
      const { inventory } = await snapshot(spoke.client, wanted);
      leaving = { inventory, uid: view.metadata.uid };
      await deleteComponent(fleet.hub, wanted);
    },
    async create() {
      const view = await read();
      if (view !== undefined) return view.metadata.deletionTimestamp === undefined;
      await noteEnding();
      await write();
      return true;
    },
    async pick(dice) {
      const objects = (await dumpOwn(spoke.client)).filter(
        // A Job that is done has served its purpose: its absence is no drift.
        ({ kind }) => !/Namespace|CustomResourceDefinition|Job/.test(kind),
      );
      const object = objects[dice % Math.max(1, objects.length)];
      if (object === undefined) return undefined;
      const { apiVersion, kind, metadata } = object;
      const { name = '', namespace } = metadata;
      return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
    },
  };
}

/** A person's change of a field that is ours; nothing where the object is not there. */
export async function changeByHand({ cluster }: ObservedSpoke): Promise<void> {
  const patch = JSON.stringify({ data: { sample: 'by hand' } });
  const object = ['patch', 'configmap', 'config-features', '-n', 'knative-serving'];
  await kubectl(cluster, [...object, '--type=merge', '-p', patch]).catch(() => undefined);
}
