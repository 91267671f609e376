import { makeCertificates } from '../../dev/certificates/make-certificates.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { startHttpProxy } from '../../dev/fault-proxy/start-http-proxy.ts';
import { registerSpoke } from '../../dev/operator/register-spoke.ts';
import { until } from '../../dev/processes/until.ts';
import { createClusterClient } from '../../adapters/kubernetes/http-cluster-client.ts';
import { componentWorkflowId } from '../../workflows/component-workflow-id.ts';
import type { Component, OperatorFleet } from '../support/operator-fleet.ts';
import {
  applyComponent,
  deleteComponent,
  inventoryNamespace,
  servingOn,
  startOperatorFleet,
  untilCondition,
  untilGone,
} from '../support/operator-fleet.ts';
import { createCrashGate } from './crash-gate.ts';
import type { CrashGate, CrashPoint } from './crash-gate.ts';
import { restartWorker } from './restart-worker.ts';
import type { Snapshot } from './snapshot.ts';
import { snapshot } from './snapshot.ts';

/** One life of a component: installed, upgraded, deleted. */
export interface Cycle {
  readonly installed: Snapshot;
  readonly upgraded: Snapshot;
  readonly deleted: Snapshot;
  /** Every write, in the order of its arrival. */
  readonly writes: readonly string[];
}

export interface CrashLaneOptions {
  readonly releases: string;
  readonly versions: readonly [string, string];
}

/** A hub, a spoke and an operator whose worker dies at chosen writes and is started again. */
export interface CrashLane {
  /** Lives one cycle; with `expected`, each snapshot is read again for a while until it equals the expected one. */
  cycle(point?: CrashPoint, expected?: Cycle): Promise<Cycle>;
  stop(): Promise<void>;
}

export async function startCrashLane(options: CrashLaneOptions): Promise<CrashLane> {
  // With cached workflows every crash would also wait for the sticky queue of the dead worker.
  const environment = { MAX_CACHED_WORKFLOWS: '0' };
  const scene = await startOperatorFleet({ spokes: 1, releases: options.releases, environment });
  const [spoke] = scene.fleet.spokes;
  if (spoke === undefined) throw new Error('a spoke is needed');
  const certificates = await makeCertificates(['IP:127.0.0.1']);
  const proxy = await startHttpProxy({ target: spoke, certificate: certificates.server });
  const registration = { ...spoke, server: proxy.server, caPem: certificates.authority };
  await registerSpoke({ hub: scene.fleet.hub, spoke: registration, namespace: inventoryNamespace });
  const client = createClusterClient(
    {
      server: spoke.server,
      certificateAuthority: spoke.caPem,
      credential: () => Promise.resolve({ token: spoke.token }),
    },
    { fieldManager: 'crash-test' },
  );
  const component = servingOn(spoke);
  let recovering = Promise.resolve();
  const gate = createCrashGate(() => {
    recovering = restartWorker(scene, [componentWorkflowId(component, '')]);
  });
  proxy.inject(gate.plan);
  await putBystanders(spoke);
  const lane = {
    scene,
    component,
    gate,
    versions: options.versions,
    take: () => snapshot(client, component),
  };
  return {
    async cycle(point, expected) {
      const result = await live(lane, point, expected);
      await recovering;
      return result;
    },
    async stop() {
      await recovering;
      await client.close();
      await scene.stop();
      await proxy.stop();
    },
  };
}

interface Lane {
  readonly scene: OperatorFleet;
  readonly component: Component;
  readonly gate: CrashGate;
  readonly versions: readonly [string, string];
  readonly take: () => Promise<Snapshot>;
}

async function live(lane: Lane, point: CrashPoint | undefined, expected: Cycle | undefined): Promise<Cycle> {
  const { hub } = lane.scene.fleet;
  const [first, second] = lane.versions;
  lane.gate.arm(point);
  await untilVersion(lane, first);
  const installed = await settled(lane, expected?.installed);
  await untilVersion(lane, second);
  const upgraded = await settled(lane, expected?.upgraded);
  await deleteComponent(hub, lane.component);
  await untilGone(hub, lane.component);
  const deleted = await settled(lane, expected?.deleted);
  return { installed, upgraded, deleted, writes: [...lane.gate.writes] };
}

async function untilVersion({ scene, component }: Lane, version: string): Promise<void> {
  const { hub } = scene.fleet;
  await applyComponent(hub, { ...component, spec: { ...component.spec, version } });
  await until(`${version} is Ready`, 120_000, async () => {
    const ready = { type: 'Ready', status: 'True', within: 120_000 } as const;
    const view = await untilCondition(hub, component, ready);
    return view.status?.version === version || undefined;
  });
}

/** Controllers may still be at work; what does not become equal is returned for the comparison to fail on. */
async function settled({ take }: Lane, expected: Snapshot | undefined): Promise<Snapshot> {
  let seen = await take();
  if (expected === undefined) return seen;
  await until('the end state is the expected one', 15_000, async () => {
    seen = await take();
    return JSON.stringify(seen) === JSON.stringify(expected) || undefined;
  }).catch(() => undefined);
  return seen;
}

/** Objects that look like ours and are not; every snapshot has to contain them. */
async function putBystanders(spoke: Parameters<typeof kubectl>[0]): Promise<void> {
  const labels = {
    'app.kubernetes.io/name': 'knative-serving',
    'app.kubernetes.io/part-of': 'knative-serving',
  };
  const items = [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'config-theirs', namespace: 'default', labels },
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'knative-serving-theirs', labels },
      rules: [],
    },
  ];
  const fieldManager = '--field-manager=knative-fleet';
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await kubectl(spoke, ['apply', '--server-side', fieldManager, '-f', '-'], list);
}
