import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ensureNamespace } from '../../../dev/operator/prepare-hub.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import {
  installClusterProfileCrd,
  registerSpoke,
  writeProviderFile,
} from '../../../dev/operator/register-spoke.ts';
import {
  applyComponent,
  deleteComponent,
  eventingOn,
  inventoryNamespace,
  startOperatorFleet,
  testReleases,
  untilCondition,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';
import { claimState, ownersOf, podsOf } from '../../support/spoke-objects.ts';

describe('the operator on a hub without provider file and ClusterProfile CRD', () => {
  let scene: OperatorFleet;
  const serving: Component = {
    kind: 'KnativeServing',
    name: 'knative-serving',
    namespace: 'knative-serving',
    spec: { version: testReleases.serving, ingress: { kourier: { enabled: true } } },
  };

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 0, multicluster: false });
  });

  afterAll(async () => {
    await scene?.stop();
  });

  test('a local Serving becomes Ready, owned by its resource, and its target columns say local', async () => {
    const { hub } = scene.fleet;
    await ensureNamespace(hub, 'knative-serving');
    await applyComponent(hub, serving);
    const view = await untilReady(hub, serving);
    expect(view.status?.['targetCluster']).toBe('local');
    const path = 'jsonpath={.items[*].metadata.ownerReferences[*].kind}';
    const owners = await kubectl(hub, ['get', 'deployments', '-n', 'knative-serving', '-o', path]);
    expect(new Set(owners.split(' '))).toEqual(new Set(['KnativeServing']));
  });

  test('a resource that names a ClusterProfile says what is missing, and CRD, profile and provider file make it Ready without a restart', async () => {
    const { hub } = scene.fleet;
    const here = { ...hub, name: 'here' };
    const remote = eventingOn(here);
    const missing = { type: 'TargetClusterResolved', status: 'False' };
    await applyComponent(hub, remote);
    const off = await untilCondition(hub, remote, { ...missing, reason: 'MulticlusterDisabled' });
    const { message } = off.status?.conditions?.find(({ type }) => type === missing.type) ?? {};
    expect(message).toContain(`ClusterProfile ${inventoryNamespace}/here: multi-cluster support is disabled`);
    expect(message).toContain(scene.providerFile);
    await installClusterProfileCrd(hub);
    await untilCondition(hub, remote, { ...missing, reason: 'ClusterProfileNotFound' });
    await registerSpoke({ hub, spoke: here, namespace: inventoryNamespace });
    await untilCondition(hub, remote, { ...missing, reason: 'MulticlusterDisabled' });
    await writeProviderFile(scene.providerFile);
    await untilReady(hub, remote);
    await deleteComponent(hub, remote);
    await untilGone(hub, remote);
  });

  test('a local Serving that is retained outlives its resource, and the next one owns it without the restart of a Pod', async () => {
    const { hub } = scene.fleet;
    const pods = await podsOf(hub);
    const object = ['knativeserving', serving.name, '-n', serving.namespace];
    const retain = '{"spec":{"deletion":{"policy":"Retain"}}}';
    await kubectl(hub, ['patch', ...object, '--type=merge', '-p', retain]);
    await deleteComponent(hub, serving);
    await untilGone(hub, serving);
    expect(await claimState(hub)).toBe('Retained');
    await applyComponent(hub, serving);
    const { metadata } = await untilReady(hub, serving);
    expect(await ownersOf(hub)).toEqual([`${serving.name}/${metadata.uid}`]);
    expect(await podsOf(hub)).toEqual(pods);
  });

  test('deleting the local Serving removes what it installed and keeps its namespace', async () => {
    const { hub } = scene.fleet;
    await deleteComponent(hub, serving);
    await untilGone(hub, serving);
    const selector = ['-l', 'app.kubernetes.io/name=knative-serving', '-o', 'name'];
    expect(
      await kubectl(hub, ['get', 'deployments,clusterroles,services,configmaps', '-A', ...selector]),
    ).toBe('');
    expect(await kubectl(hub, ['get', 'namespace', 'knative-serving', '-o', 'name'])).not.toBe('');
    const leases = await kubectl(hub, ['get', 'leases,configmaps', '-n', 'default', '-o', 'name']);
    expect(leases).not.toContain('knative-fleet');
  });
});
