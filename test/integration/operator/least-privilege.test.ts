import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';
import { missingRights, spokeRights, workerRights } from '../../../cli/doctor/access-reviews.ts';
import type { Right } from '../../../cli/doctor/access-reviews.ts';
import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { remainsOn } from '../../../dev/demo/remains.ts';
import { ensureNamespace, operatorNamespace } from '../../../dev/operator/prepare-hub.ts';
import { SourceOptions } from '../../../domain/eventing/sources.ts';
import { ingressKeys } from '../../../domain/serving/ingress/ingresses.ts';
import {
  applyComponent,
  deleteComponent,
  destination,
  eventingOn,
  resourceNamespace,
  startOperatorFleet,
  testReleases,
  untilCondition,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type {
  Component,
  ComponentView,
  OperatorFleet,
  OperatorIdentities,
} from '../../support/operator-fleet.ts';
import { refusedRequests } from '../../support/refused-requests.ts';
import { accounts, isIdentity, shippedIdentities } from '../../support/shipped-identities.ts';
import { installStubKinds } from '../../support/stub-kinds.ts';

const older = testReleases.real
  ? { serving: '1.21.3', eventing: '1.21.4' }
  : { serving: '1.21.0', eventing: '1.21.0' };

describe('the operator with exactly the shipped roles on hub and spokes', { timeout: 300_000 }, () => {
  let scene: OperatorFleet;
  let identities: OperatorIdentities;
  let full: Cluster;
  let withoutListing: Cluster;

  beforeAll(async () => {
    scene = await startOperatorFleet({
      spokes: 2,
      auditedUsers: Object.values(accounts),
      identities: async (fleet) => (identities = await shippedIdentities(fleet)),
      environment: { LEADER_ELECTION: 'true' },
    });
    const [first, second] = scene.fleet.spokes;
    if (first === undefined || second === undefined) throw new Error('two spokes are needed');
    [full, withoutListing] = [first, second];
    await Promise.all([scene.fleet.hub, full].map(installStubKinds));
    await kubectl(withoutListing, ['delete', 'clusterrolebinding', 'knative-fleet-namespace-removal']);
  });

  afterAll(async () => {
    await scene?.stop();
  });

  const serving = (version: string): Component => ({
    kind: 'KnativeServing',
    name: 'serving',
    namespace: resourceNamespace,
    spec: { version, ...destination(full), ...everythingOfServing },
  });
  const eventing = (version: string): Component => ({
    kind: 'KnativeEventing',
    name: 'eventing',
    namespace: resourceNamespace,
    spec: { version, ...destination(full), ...everythingOfEventing },
  });

  test('the doctor misses no right of the shipped accounts', async () => {
    const missing = async (cluster: Cluster, token: string, wanted: readonly Right[]) => {
      const { server, caPem } = cluster;
      const credential = () => Promise.resolve({ token });
      const client = createClusterClient(
        { server, certificateAuthority: caPem, credential },
        { fieldManager: 'doctor' },
      );
      const found = await missingRights(client, wanted);
      await client.close();
      return found;
    };
    const onHub = workerRights(operatorNamespace);
    expect(await missing(scene.fleet.hub, identities.worker, onHub)).toEqual([]);
    expect(await missing(full, identities.spokes.get(full.name) ?? '', spokeRights)).toEqual([]);
    expect(await missing(scene.fleet.hub, identities.starter, onHub)).toContain(
      'update knativeservings.operator.knative.dev/status',
    );
  });

  test('both kinds with everything that they can install become Ready, and so does their upgrade', async () => {
    const { hub } = scene.fleet;
    for (const versions of [older, testReleases]) {
      const components = [serving(versions.serving), eventing(versions.eventing)];
      await Promise.all(components.map((component) => applyComponent(hub, component)));
      const ready = await Promise.all(components.map((component) => untilVersion(hub, component)));
      expect(ready.map(({ status }) => status?.version)).toEqual([versions.serving, versions.eventing]);
    }
    expect(await refusedRequests(full)).toEqual([]);
    expect(await refusedRequests(hub)).toEqual([]);
  });

  test('removal leaves nothing behind, the install namespaces included, and nothing was refused', async () => {
    const { hub } = scene.fleet;
    const components = [serving(testReleases.serving), eventing(testReleases.eventing)];
    await Promise.all(components.map((component) => deleteComponent(hub, component)));
    await Promise.all(components.map((component) => untilGone(hub, component)));
    expect((await remainsOn(full)).filter((remnant) => !isIdentity(remnant))).toEqual([]);
    expect(await refusedRequests(full)).toEqual([]);
    expect(await refusedRequests(hub)).toEqual([]);
  });

  test('without the right to list, an install namespace stays and an event says which kind could not be looked at', async () => {
    const { hub } = scene.fleet;
    const component = eventingOn(withoutListing);
    await applyComponent(hub, component);
    await untilReady(hub, component);
    await deleteComponent(hub, component);
    await untilGone(hub, component);
    const remains = (await remainsOn(withoutListing)).filter((remnant) => !isIdentity(remnant));
    expect(remains).toEqual(['Namespace /knative-eventing']);
    const path = 'jsonpath={.items[?(@.reason=="NamespaceKept")].message}';
    const message = await kubectl(hub, ['get', 'events', '-n', resourceNamespace, '-o', path]);
    expect(message).toMatch(/^namespace knative-eventing stays .* the account may not list .*\bSecret\b/);
    expect(message).not.toContain('it holds');
    expect(await refusedRequests(withoutListing)).not.toContainEqual(
      expect.stringMatching(/ (create|patch|update|delete|get|watch) /),
    );
  });

  test('the hub itself is a target when the worker also has the roles of a spoke there', async () => {
    const { hub } = scene.fleet;
    const component: Component = {
      kind: 'KnativeServing',
      name: 'knative-serving',
      namespace: 'knative-serving',
      spec: { version: testReleases.serving, ...everythingOfServing },
    };
    await ensureNamespace(hub, 'knative-serving');
    await applyComponent(hub, component);
    await untilReady(hub, component);
    await deleteComponent(hub, component);
    await untilGone(hub, component);
    expect(await refusedRequests(hub)).toEqual([]);
  });
});

const enabled = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { enabled: true }]));

/** The sample releases have one ingress only. */
const everythingOfServing = testReleases.real
  ? { ingress: enabled(ingressKeys), security: { securityGuard: { enabled: true } } }
  : { ingress: enabled(['kourier']) };

const everythingOfEventing = testReleases.real
  ? {
      source: enabled(Object.keys(SourceOptions.shape)),
      config: { features: { 'transport-encryption': 'strict' } },
    }
  : {};

/** The roles and accounts by which the operator acts. */
async function untilVersion(hub: Cluster, component: Component): Promise<ComponentView> {
  const { version } = component.spec as { version: string };
  await expect
    .poll(() => untilReady(hub, component).then(({ status }) => status?.version), { timeout: 90_000 })
    .toBe(version);
  return untilCondition(hub, component, { type: 'Ready', status: 'True' });
}
