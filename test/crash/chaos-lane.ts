import { setTimeout as sleep } from 'node:timers/promises';

import { createClusterClient } from '../../adapters/kubernetes/http-cluster-client.ts';
import { makeCertificates } from '../../dev/certificates/make-certificates.ts';
import { registerSpoke } from '../../dev/operator/register-spoke.ts';
import type { HttpProxy } from '../../dev/fault-proxy/start-http-proxy.ts';
import { startHttpProxy } from '../../dev/fault-proxy/start-http-proxy.ts';
import { until } from '../../dev/processes/until.ts';
import { stringAt } from '../../domain/manifests/object.ts';
import { componentWorkflowId } from '../../workflows/component-workflow-id.ts';
import {
  inventoryNamespace,
  readComponent,
  servingOn,
  startOperatorFleet,
  untilGone,
} from '../support/operator-fleet.ts';
import type { ComponentView, OperatorFleet } from '../support/operator-fleet.ts';
import type { ChaosComponent } from './chaos-component.ts';
import { createChaosComponent } from './chaos-component.ts';
import { disturbedWatches } from './disturbed-watches.ts';
import type { Lane } from './happenings.ts';
import { happenings, startStarter } from './happenings.ts';
import type { ObservedSpoke } from './observed-spoke.ts';
import { observeSpoke } from './observed-spoke.ts';
import type { Step } from './random-schedule.ts';
import { recordRun } from './record-run.ts';
import type { Recording } from './recording.ts';
import { restartWorker } from './restart-worker.ts';
import { sampleCycle } from './sample-cycle.ts';

/** A hub, two spokes with a component each, and everything that can happen to them. */
export interface ChaosLane {
  readonly components: readonly ChaosComponent[];
  /** Events of watches that were lost, doubled or came out of order so far. */
  disturbedEvents(): number;
  run(schedule: readonly Step[]): Promise<void>;
  /** Ends all faults and wants every component, then waits until each is as wanted. */
  settle(): Promise<void>;
  /** Removes every component, and waits until it is gone. */
  removeAll(): Promise<void>;
  record(): Promise<Recording>;
  stop(): Promise<void>;
}

export async function startChaosLane(): Promise<ChaosLane> {
  const certificates = await makeCertificates(['IP:127.0.0.1']);
  const hubWatches = disturbedWatches();
  let hubProxy: HttpProxy | undefined;
  const scene = await startOperatorFleet({
    spokes: 2,
    releases: sampleCycle.releases,
    auditedUsers: ['admin'],
    environment: { MAX_CACHED_WORKFLOWS: '0' },
    async hubAccess(target) {
      hubProxy = await startHttpProxy({ target, certificate: certificates.server });
      hubProxy.inject((request) => hubWatches.fault(request));
      return { server: hubProxy.server, caPem: certificates.authority };
    },
  });
  const { hub } = scene.fleet;
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
    hubWatches,
    spokes,
    components,
    starterRuns: true,
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
    disturbedEvents: () =>
      [hubWatches, ...spokes.map(({ watches }) => watches)].reduce(
        (sum, { disturbed }) => sum + disturbed,
        0,
      ),
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
      await Promise.all([hubProxy?.stop(), ...spokes.map((spoke) => spoke.stop())]);
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

async function settle(lane: Lane): Promise<void> {
  const { scene, hubWatches, spokes, components } = lane;
  hubWatches.disturb('drop', 0);
  for (const spoke of spokes) {
    spoke.fail('answer 503', 0);
    spoke.watches.disturb('drop', 0);
  }
  // One that runs must find out by itself what it was not told.
  if (!lane.starterRuns) await startStarter(lane);
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
