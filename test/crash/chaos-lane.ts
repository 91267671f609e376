import { setTimeout as sleep } from 'node:timers/promises';

import { createClusterClient } from '../../adapters/kubernetes/http-cluster-client.ts';
import { makeCertificates } from '../../dev/certificates/make-certificates.ts';
import { registerSpoke } from '../../dev/operator/register-spoke.ts';
import { until } from '../../dev/processes/until.ts';
import { stringAt } from '../../domain/manifests/object.ts';
import { componentWorkflowId } from '../../workflows/component-workflow-id.ts';
import * as messages from '../../workflows/messages.ts';
import {
  inventoryNamespace,
  readComponent,
  servingOn,
  startOperatorFleet,
  untilGone,
} from '../support/operator-fleet.ts';
import type { ComponentView, OperatorFleet } from '../support/operator-fleet.ts';
import type { ChaosComponent } from './chaos-component.ts';
import { changeByHand, createChaosComponent } from './chaos-component.ts';
import type { ObservedSpoke } from './observed-spoke.ts';
import { observeSpoke } from './observed-spoke.ts';
import type { Happening, Step } from './random-schedule.ts';
import { recordRun } from './record-run.ts';
import type { Recording } from './recording.ts';
import { restartWorker } from './restart-worker.ts';
import { sampleCycle } from './sample-cycle.ts';

/** A hub, two spokes with a component each, and everything that can happen to them. */
export interface ChaosLane {
  readonly components: readonly ChaosComponent[];
  run(schedule: readonly Step[]): Promise<void>;
  /** Ends all faults and wants every component, then waits until each is as wanted. */
  settle(): Promise<void>;
  /** Removes every component, and waits until it is gone. */
  removeAll(): Promise<void>;
  record(): Promise<Recording>;
  stop(): Promise<void>;
}

interface Lane {
  readonly scene: OperatorFleet;
  readonly spokes: readonly ObservedSpoke[];
  readonly components: readonly ChaosComponent[];
  readonly restart: () => Promise<void>;
}

export async function startChaosLane(): Promise<ChaosLane> {
  const scene = await startOperatorFleet({
    spokes: 2,
    releases: sampleCycle.releases,
    auditedUsers: ['admin'],
    environment: { MAX_CACHED_WORKFLOWS: '0' },
  });
  const { hub } = scene.fleet;
  const certificates = await makeCertificates(['IP:127.0.0.1']);
  let worker = 0;
  const spokes: ObservedSpoke[] = [];
  for (const cluster of scene.fleet.spokes) {
    const spoke = await observeSpoke(cluster, certificates, () => worker);
    const registration = { ...cluster, server: spoke.server, caPem: certificates.authority };
    await registerSpoke({ hub, spoke: registration, namespace: inventoryNamespace });
    spokes.push(spoke);
  }
  const hubClient = createClusterClient(
    {
      server: hub.server,
      certificateAuthority: hub.caPem,
      credential: () => Promise.resolve({ token: hub.token }),
    },
    { fieldManager: 'chaos-test' },
  );
  const components = spokes.map((spoke) => {
    const wanted = servingOn(spoke.cluster, { version: '1.22.1', drift: { interval: '10s' } });
    return createChaosComponent(
      scene,
      hubClient,
      { ...wanted, name: `serving-${spoke.cluster.name}` },
      spoke,
    );
  });
  const lane: Lane = {
    scene,
    spokes,
    components,
    async restart() {
      worker += 1;
      await restartWorker(
        scene,
        components.map(({ component }) => componentWorkflowId(component, '')),
      );
    },
  };
  return {
    components,
    run: (schedule) => run(lane, schedule),
    settle: () => settle(lane),
    async removeAll() {
      await Promise.all(components.map((component) => component.remove()));
      await Promise.all(components.map(({ component }) => untilGone(hub, component)));
    },
    record() {
      const spokeOf = new Map(components.map(({ component, spoke }) => [component.name, spoke.cluster.name]));
      return recordRun({ scene, spokes, spokeOf, endings: components.flatMap(({ endings }) => endings) });
    },
    async stop() {
      await hubClient.close();
      await scene.stop();
      await Promise.all(spokes.map((spoke) => spoke.stop()));
    },
  };
}

async function run(lane: Lane, schedule: readonly Step[]): Promise<void> {
  for (const step of schedule) {
    const component = lane.components[step.component];
    if (component !== undefined) await happenings[step.what](lane, component, step.dice);
    await sleep(step.pauseMs);
  }
}

type Happen = (lane: Lane, component: ChaosComponent, dice: number) => Promise<unknown>;

const happenings: Readonly<Record<Happening, Happen>> = {
  edit: (_lane, component) => component.edit(),
  pause: (_lane, component, dice) => component.setPaused(dice % 3 === 0),
  remove: (_lane, component) => component.remove(),
  create: (_lane, component) => component.create(),
  async 'lose an object'(_lane, component, dice) {
    const object = await component.pick(dice);
    if (object !== undefined) await component.spoke.client.delete(object).catch(() => undefined);
  },
  'change an object': (_lane, { spoke }) => changeByHand(spoke),
  'kill the worker': (lane) => lane.restart(),
  'kill the starter': ({ scene }) => scene.operator.killStarter(),
  async 'start the starter'({ scene }) {
    await scene.operator.killStarter();
    await scene.operator.startStarter();
  },
  async 'repeat messages'({ scene }, component, dice) {
    const { metadata } = (await component.read()) ?? {};
    const uid = metadata?.uid ?? 'nobody';
    await signal(scene, component, async (handle) => {
      // Older ones after newer ones, and each twice.
      for (const generation of [1 + (dice % 4), 1, 1]) {
        await handle.signal(messages.resourceChanged, { uid, generation });
      }
      await handle.signal(messages.targetChanged, { hash: String(dice) });
    });
  },
  async 'tell what is not so'({ scene }, component, dice) {
    const view = await component.read();
    // A message that is true by accident would prove nothing.
    if (view === undefined || view.metadata.deletionTimestamp !== undefined) return;
    const { uid } = view.metadata;
    await signal(scene, component, async (handle) => {
      if (dice % 4 === 0) await handle.signal(messages.resourceDeleted, { uid });
      if (dice % 4 === 1) await handle.signal(messages.resourceGone, { uid });
      if (dice % 4 === 2) await handle.signal(messages.resourceChanged, { uid: 'a stranger', generation: 3 });
      if (dice % 4 === 3) await handle.signal(messages.driftDetected, { uid, objects: ['none'], count: 1 });
    });
  },
  'cut connections': async (_lane, { spoke }) => spoke.cutConnections(),
  'answer 503': async (_lane, { spoke }, dice) => spoke.fail('answer 503', dice % 40),
  'answer 429': async (_lane, { spoke }, dice) => spoke.fail('answer 429', dice % 10),
  'withhold answers': async (_lane, { spoke }, dice) => spoke.fail('withhold answers', dice % 10),
  'let it rest': (_lane, _component, dice) => sleep(dice * 3),
};

type Handle = ReturnType<OperatorFleet['temporal']['workflow']['getHandle']>;

/** To the workflow of a component, if it has one now. */
async function signal(
  { temporal }: OperatorFleet,
  { component }: ChaosComponent,
  send: (handle: Handle) => Promise<void>,
): Promise<void> {
  const handle = temporal.workflow.getHandle(componentWorkflowId(component, ''));
  await send(handle).catch(() => undefined);
}

async function settle({ scene, spokes, components }: Lane): Promise<void> {
  for (const spoke of spokes) spoke.fail('answer 503', 0);
  await scene.operator.killStarter();
  await scene.operator.startStarter();
  await Promise.all(
    components.map(async (component) => {
      await component.setPaused(false);
      const { name } = component.component;
      await until(`${name} is wanted`, 180_000, async () => (await component.create()) || undefined);
      await component.edit();
      let seen: unknown;
      await until(`${name} is as wanted`, 180_000, async () => {
        seen = (await component.read())?.status;
        return (await isAsWanted(scene, component)) || undefined;
      }).catch((error: unknown) => {
        throw new Error(`${(error as Error).message}; it is ${JSON.stringify(seen)}`);
      });
    }),
  );
}

async function isAsWanted({ fleet }: OperatorFleet, wanted: ChaosComponent): Promise<boolean> {
  const view = await readComponent(fleet.hub, wanted.component);
  if (view === undefined || !isReadyNow(view)) return false;
  const name = { kind: 'ConfigMap', namespace: 'knative-serving', name: 'config-features' };
  const features = await wanted.spoke.client.get({ apiVersion: 'v1', ...name });
  return stringAt(features, 'data', 'sample') === `revision-${String(wanted.revision)}`;
}

function isReadyNow({ status, metadata }: ComponentView): boolean {
  const conditions = status?.conditions ?? [];
  const ready = conditions.length > 0 && conditions.every((condition) => condition.status === 'True');
  return ready && status?.['observedGeneration'] === metadata.generation;
}
