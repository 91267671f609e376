import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { ensureNamespace, operatorNamespace } from '../../../dev/operator/prepare-hub.ts';
import { registerSpoke } from '../../../dev/operator/register-spoke.ts';
import { until } from '../../../dev/processes/until.ts';
import { eventReasons } from '../../support/hub-objects.ts';
import { goInstallation, makeGoInstallation, makeGoResource } from '../../support/go-installation.ts';
import {
  deleteComponent,
  readComponent,
  startOperatorFleet,
  testReleases,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';
import { anchorsOn, claimState, ownersOf, podsOf, templatesOf } from '../../support/spoke-objects.ts';

const recorded = testReleases.real ? goInstallation('knativeserving-1.21.3.json') : undefined;

describe.skipIf(recorded === undefined)('an installation of the Go operator', () => {
  let scene: OperatorFleet;
  const component: Component = {
    kind: 'KnativeServing',
    name: 'knative-serving',
    namespace: 'knative-serving',
    spec: {},
  };
  const lease = 'knative-operator.knative.dev.operator.pkg.reconciler.knativeserving.reconciler.00-of-01';

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 1 });
  });

  afterAll(async () => {
    await scene?.stop();
  });

  const spoke = () => {
    const [first] = scene.fleet.spokes;
    if (first === undefined) throw new Error('a spoke is needed');
    return first;
  };
  const hub = () => scene.fleet.hub;

  const renewLease = async (renewTime: Date) => {
    const object = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: lease, namespace: operatorNamespace },
      spec: {
        holderIdentity: 'knative-operator-5d8_1',
        leaseDurationSeconds: 60,
        renewTime: renewTime.toISOString().replace('Z', '000Z'),
      },
    };
    await kubectl(hub(), ['apply', '-f', '-'], JSON.stringify(object));
  };

  test('is not touched while that operator renews its leader Lease, and this is said', async () => {
    if (recorded === undefined) throw new Error('the recording is needed');
    await scene.operator.killStarter();
    await registerSpoke({ hub: hub(), spoke: { ...spoke(), name: 'gold' }, namespace: 'fleet-system' });
    await makeGoInstallation(spoke(), recorded);
    await until('the Pods run', 60_000, async () => {
      const ready = '{range .items[*]}{.spec.replicas}={.status.readyReplicas} {end}';
      const get = ['get', 'deployments', '-n', 'knative-serving', '-o', `jsonpath=${ready}`];
      const all = (await kubectl(spoke(), get)).trim().split(' ');
      return all.every((pair) => /^(\d+)=\1$/.test(pair)) ? true : undefined;
    });
    await renewLease(new Date());
    await ensureNamespace(hub(), 'knative-serving');
    await makeGoResource(hub(), recorded);
    await scene.operator.startStarter();
    await until('an event says so', 60_000, async () =>
      (await eventReasons(hub(), component)).includes('GoOperatorActive') ? true : undefined,
    );
    await sleep(1_000);
    expect(await claimState(spoke())).toBe('');
    expect((await readComponent(hub(), component))?.status?.target).toBeUndefined();
  });

  test('is taken over without the restart of a Pod when that operator has stopped, and what only it had set goes', async () => {
    const pods = await podsOf(spoke());
    const templates = await templatesOf(spoke());
    const [anchor] = await anchorsOn(spoke());
    const serving = ['-n', 'knative-serving'];
    await kubectl(spoke(), [
      'annotate',
      'deployment',
      'controller',
      ...serving,
      '--field-manager=ann',
      'ann=was-here',
    ]);
    await renewLease(new Date(Date.now() - 3_600_000));
    await until('the claim is ours', 60_000, async () =>
      (await claimState(spoke())) === 'Owned' ? true : undefined,
    );
    await until('nothing that nobody wants is left of it', 60_000, async () =>
      (await kubectl(spoke(), ['get', 'configmaps', ...serving, '-o', 'name'])).includes('go-leftover')
        ? undefined
        : true,
    );
    await untilReady(hub(), component);
    expect(await templatesOf(spoke())).toEqual(templates);
    expect(await podsOf(spoke())).toEqual(pods);
    expect(await anchorsOn(spoke())).toEqual([anchor]);
    expect(await ownersOf(spoke())).toEqual([anchor]);
    const autoscaler = ['get', 'configmap', 'config-autoscaler', ...serving, '-o', 'json'];
    const { data } = JSON.parse(await kubectl(spoke(), autoscaler)) as { data: Record<string, string> };
    expect(data).toMatchObject({ 'stable-window': '90s' });
    expect(data).not.toHaveProperty('of-the-go-operator');
    const controller = ['get', 'deployment', 'controller', ...serving, '-o', 'json', '--show-managed-fields'];
    const { metadata } = JSON.parse(await kubectl(spoke(), controller)) as {
      metadata: { annotations: Record<string, string>; managedFields: { manager: string }[] };
    };
    expect(metadata.annotations).toMatchObject({ ann: 'was-here' });
    expect(metadata.annotations).not.toHaveProperty('manifestival');
    expect(metadata.managedFields.map(({ manager }) => manager)).not.toContain('manifestival');
  });

  test('goes back by way of Retain with its anchor and without the restart of a Pod', async () => {
    const pods = await podsOf(spoke());
    const anchors = await anchorsOn(spoke());
    const retain = '{"spec":{"deletion":{"policy":"Retain"}}}';
    const object = ['knativeserving', 'knative-serving', '-n', 'knative-serving'];
    await kubectl(hub(), ['patch', ...object, '--type=merge', '-p', retain]);
    await deleteComponent(hub(), component);
    await untilGone(hub(), component);
    expect(await claimState(spoke())).toBe('Retained');
    expect(await anchorsOn(spoke())).toEqual(anchors);
    expect(await podsOf(spoke())).toEqual(pods);
  });
});
