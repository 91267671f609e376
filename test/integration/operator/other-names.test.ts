import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { ensureNamespace } from '../../../dev/operator/prepare-hub.ts';
import { until } from '../../../dev/processes/until.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { recordAt } from '../../../domain/manifests/object.ts';
import { dumpCluster, statusDifferences } from '../../conformance/compare-installed.ts';
import type { Difference } from '../../conformance/compare.ts';
import { compareObjects } from '../../conformance/compare.ts';
import type { RecordedCase } from '../../conformance/recordings.ts';
import {
  applyComponent,
  inventoryNamespace,
  startOperatorFleet,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';
import { ownedLocally, recordedCase, renamedRecording } from '../../support/renamed-recording.ts';
import { hasSharedMaterial } from '../../support/shared-material.ts';

/** Where we and the recording differ once controllers have finished: empty, or what it still is after 20 s. */
async function lastingDifferences(
  cluster: Cluster,
  recorded: readonly ManifestObject[],
): Promise<readonly Difference[]> {
  let differences: readonly Difference[] = [];
  const none = async () => {
    differences = compareObjects(await dumpCluster(cluster), recorded);
    return differences.length === 0 ? differences : undefined;
  };
  return until('nothing differs', 20_000, none).catch(() => differences);
}

describe.skipIf(!hasSharedMaterial)('resources of other names than those of their install namespaces', () => {
  let scene: OperatorFleet;

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 2 });
  });

  afterAll(async () => {
    await scene?.stop();
  });

  const installed = async (component: Component, recorded: RecordedCase) => {
    await ensureNamespace(scene.fleet.hub, component.namespace);
    await applyComponent(scene.fleet.hub, component);
    const { status } = await untilReady(scene.fleet.hub, component);
    expect(statusDifferences(recordAt(status), recorded.status)).toEqual([]);
  };

  const remote = (recorded: RecordedCase, short: string, spoke: Cluster | undefined): Component => ({
    kind: recorded.kind,
    name: `ocm-${short}`,
    namespace: `management-${short}-hub`,
    spec: {
      ...recorded.spec,
      destination: {
        clusterProfileRef: { name: spoke?.name, namespace: inventoryNamespace },
        namespace: `knative-${short}-ocm`,
      },
    },
  });

  test('leave on two spokes what was recorded, renamed, and nothing else there and on the hub', async () => {
    const { hub, spokes } = scene.fleet;
    const works = ['serving', 'eventing'].map((short, index) => {
      const recorded = recordedCase(`${short}-base`);
      const spoke = spokes[index] ?? hub;
      const component = remote(recorded, short, spoke);
      const expected = renamedRecording(recorded, component, `knative-${short}-ocm`);
      return { recorded, spoke, component, expected };
    });
    await Promise.all(works.map(({ component, recorded }) => installed(component, recorded)));
    for (const { spoke, expected } of works) expect(await lastingDifferences(spoke, expected)).toEqual([]);
    expect(await dumpCluster(hub)).toEqual([]);
    for (const { component } of works) expect(await contentsOf(hub, component)).toEqual([]);
  });

  test('leave on the hub itself what was recorded on a spoke, owned by the resource', async () => {
    const { hub } = scene.fleet;
    const [serving, eventing] = [recordedCase('serving-base'), recordedCase('eventing-base')];
    await installed({ ...serving, ...serving.metadata }, serving);
    expect(await lastingDifferences(hub, ownedLocally(serving))).toEqual([]);
    await installed({ ...eventing, ...eventing.metadata }, eventing);
    const both = await lastingDifferences(hub, [...ownedLocally(serving), ...ownedLocally(eventing)]);
    // Aggregated roles collect the rules of both kinds.
    expect(both.filter(({ path }) => !path.startsWith('rules['))).toEqual([]);
  });
});

/** Objects in the namespace of a resource, without the resource, what is said about it, and what every namespace has. */
async function contentsOf(hub: Cluster, { kind, name, namespace }: Component): Promise<readonly string[]> {
  const listable = ['api-resources', '--namespaced', '--verbs=list', '-o', 'name'];
  const types = (await kubectl(hub, listable)).trim().split('\n').join(',');
  const found = await kubectl(hub, ['get', types, '-n', namespace, '-o', 'name']);
  const plural = `${kind.toLowerCase()}.operator.knative.dev/${name}`;
  const usual = ['configmap/kube-root-ca.crt', 'serviceaccount/default', plural];
  return found
    .split('\n')
    .filter((line) => line !== '' && !usual.includes(line) && !line.startsWith('event'));
}
