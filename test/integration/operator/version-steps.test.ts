import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { componentApi } from '../../../domain/api/component-ref.ts';
import { wireNames } from '../../../domain/api/wire-names.ts';
import { prepareCluster } from '../../conformance/prepare-cluster.ts';
import { clientOf } from '../../support/client-of.ts';
import { ownedKeys } from '../../support/live-objects.ts';
import {
  applyComponent,
  destination,
  resourceNamespace,
  startOperatorFleet,
  testReleases,
  untilCondition,
  untilReady,
  untilVersion,
} from '../../support/operator-fleet.ts';
import type { Component, ComponentView, OperatorFleet } from '../../support/operator-fleet.ts';
import * as messages from '../../../workflows/messages.ts';
import { wantedKeys } from '../../support/wanted-keys.ts';

const stubs = fileURLToPath(new URL('../../../../shared/crds/stubs.yaml', import.meta.url));
const steps = ['1.21', '1.22', '1.23', '1.22', '1.21', '1.20'];

describe.skipIf(!testReleases.real)('an installation that begins at 1.20', () => {
  let scene: OperatorFleet;
  let sites: readonly Site[];
  let hubClient: ClusterClient;

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 2 });
    hubClient = clientOf(scene.fleet.hub, 'test');
    sites = (['KnativeServing', 'KnativeEventing'] as const).map((kind, index) => {
      const cluster = scene.fleet.spokes[index];
      if (cluster === undefined) throw new Error('two spokes are needed');
      const spoke = clientOf(cluster, 'test');
      const name = kind.toLowerCase();
      return {
        cluster,
        spoke,
        at: (version, more = {}) => ({
          kind,
          name,
          namespace: resourceNamespace,
          spec: { version, ...destination(cluster), ...more },
        }),
      };
    });
  });

  afterAll(async () => {
    const clients = [hubClient, ...(sites ?? []).map(({ spoke }) => spoke)];
    await Promise.all(clients.map((client) => client?.close()));
    await scene?.stop();
  });

  const [hub, both] = [() => scene.fleet.hub, () => sites];
  const handleOf = ({ kind, namespace, name }: Component) =>
    scene.temporal.workflow.getHandle(`${kind}/${namespace}/${name}`);
  const historyLength = async (component: Component) => (await handleOf(component).describe()).historyLength;
  const failureOf = async (component: Component) =>
    (await handleOf(component).query(messages.describe)).state.failure?.kind;
  /** Of the activity that runs now. */
  const attempts = async (component: Component) => {
    const { raw } = await handleOf(component).describe();
    return raw.pendingActivities?.[0]?.attempt ?? 0;
  };

  test('a pause costs no history however often a pass was asked for before', async () => {
    await Promise.all(
      both().map(async ({ at }) => {
        const paused = at('1.20', { paused: true });
        await applyComponent(hub(), paused);
        await untilCondition(hub(), paused, { type: 'TargetClusterResolved', status: 'False' });
        const length = await historyLength(paused);
        await trigger(hubClient, paused, 'while it is paused');
        await expect.poll(() => historyLength(paused), { timeout: 20_000 }).toBeGreaterThan(length);
        await sleep(2_000);
        const before = await historyLength(paused);
        await sleep(sweeps(2));
        expect(await historyLength(paused)).toBe(before);
      }),
    );
  });

  test('an ingress whose kinds are missing is named, costs no history, and is installed once they exist', async () => {
    const [serving, eventing] = both();
    if (serving === undefined || eventing === undefined) throw new Error('both kinds are needed');
    await Promise.all([
      applyComponent(hub(), serving.at('1.20', { paused: false })),
      applyComponent(hub(), eventing.at('1.20', { paused: false })),
    ]);
    const failed = { type: 'InstallSucceeded', status: 'False', reason: 'Error' };
    const view = await untilCondition(hub(), serving.at('1.20'), failed);
    expect(messageOf(view, 'InstallSucceeded')).toMatch(
      /please install istio or disable the istio ingress plugin: .*Gateway of group networking\.istio\.io/,
    );
    expect(view.status?.version).toBeUndefined();
    // The first tries are the workflow's; all that follow are Temporal's.
    await expect.poll(() => failureOf(serving.at('1.20')), { timeout: 60_000 }).toBe('KindUnavailable');
    const before = await historyLength(serving.at('1.20'));
    await expect.poll(() => attempts(serving.at('1.20')), { timeout: 60_000 }).toBeGreaterThan(2);
    expect(await historyLength(serving.at('1.20'))).toBe(before);
    await prepareCluster(serving.cluster, stubs);
    await Promise.all(both().map(({ at }) => untilReady(hub(), at('1.20'))));
  });

  test('a new version is reported, and an old object removed, only when the new Pods are there', async () => {
    const [next] = steps;
    if (next === undefined) throw new Error('a step is needed');
    await Promise.all(
      both().map(async ({ at, spoke }) => {
        const old = await ownedKeys(spoke);
        const node = { apiVersion: 'v1', kind: 'Node', name: 'simulated' };
        await spoke.patch(node, { type: 'merge', body: { spec: { unschedulable: true } } });
        await applyComponent(hub(), at(next));
        const view = await untilCondition(hub(), at(next), { type: 'DeploymentsAvailable', status: 'False' });
        expect(messageOf(view, 'DeploymentsAvailable')).toMatch(/^Waiting on deployments: .+/);
        await sleep(3_000);
        const later = await untilCondition(hub(), at(next), { type: 'Ready', status: 'False' });
        expect(later.status?.version).toMatch(/^1\.20\./);
        expect(await ownedKeys(spoke)).toEqual(expect.arrayContaining([...old]));
        await spoke.patch(node, { type: 'merge', body: { spec: { unschedulable: null } } });
        await untilVersion(hub(), at(next), next);
        expect(await ownedKeys(spoke)).toEqual(wantedKeys(at(next)));
      }),
    );
  });

  test.each(steps.slice(1).map((version, index) => [steps[index], version] as const))(
    'goes from %s to %s, is Ready there and leaves no object of the older one but CRDs',
    async (_from, version) => {
      await Promise.all(
        both().map(async ({ at, spoke }) => {
          await applyComponent(hub(), at(version));
          await untilVersion(hub(), at(version), version);
          expect(await ownedKeys(spoke)).toEqual(wantedKeys(at(version)));
        }),
      );
    },
  );
});

interface Site {
  readonly cluster: OperatorFleet['fleet']['spokes'][number];
  readonly spoke: ClusterClient;
  /** The resource at a version. */
  readonly at: (version: string, more?: object) => Component;
}

/** The starter compares resources with workflows every five seconds in tests. */
function sweeps(count: number): number {
  return count * 5_000;
}

function messageOf(view: ComponentView, type: string): string {
  return view.status?.conditions?.find((condition) => condition.type === type)?.message ?? '';
}

async function trigger(hub: ClusterClient, component: Component, value: string): Promise<void> {
  const body = { metadata: { annotations: { [wireNames.triggerAnnotation]: value } } };
  await hub.patch(refOf(component), { type: 'merge', body });
}

function refOf({ kind, namespace, name }: Component) {
  return { apiVersion: componentApi.apiVersion, kind, namespace, name };
}
