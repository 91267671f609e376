import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { remainsOn } from '../../../dev/demo/remains.ts';
import { profileHealth, registerSpoke, setProfileStatus } from '../../../dev/operator/register-spoke.ts';
import { until } from '../../../dev/processes/until.ts';
import { abandonments, eventReasons, inventoryMirrors, pendingCleanups } from '../../support/hub-objects.ts';
import {
  applyComponent,
  deleteComponent,
  destination,
  inventoryNamespace,
  resourceNamespace,
  sampleReleases,
  startOperatorFleet,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';

describe('a resource with deletion policy Deferred', () => {
  let scene: OperatorFleet;

  beforeAll(async () => {
    const environment = { MANIFEST_URL_PREFIXES: 'file:///tmp/' };
    scene = await startOperatorFleet({ spokes: 1, releases: sampleReleases.root, environment });
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

  const serving = (more: object = {}): Component => ({
    kind: 'KnativeServing',
    name: 'serving',
    namespace: resourceNamespace,
    spec: {
      version: sampleReleases.serving,
      ingress: { kourier: { enabled: true } },
      deletion: { policy: 'Deferred' },
      ...destination(spoke()),
      ...more,
    },
  });

  const setHealthy = (healthy: boolean) =>
    setProfileStatus(hub(), { namespace: inventoryNamespace, name: spoke().name }, profileHealth(healthy));

  const deployments = async () =>
    kubectl(spoke(), [
      'get',
      'deployments',
      '-n',
      'knative-serving',
      '-o',
      'jsonpath={.items[*].metadata.uid}',
    ]);

  const extra = () =>
    kubectl(spoke(), [
      'get',
      'configmap',
      '-n',
      'knative-serving',
      'extra',
      '-o',
      'name',
      '--ignore-not-found',
    ]);

  const cleanupOf = (uid: string) =>
    scene.temporal.workflow.getHandle(`cleanup/KnativeServing/${resourceNamespace}/serving/${uid}`);

  test('goes at once while its spoke cannot be used, and the spoke is clean when it is back', async () => {
    await applyComponent(hub(), serving());
    const { metadata } = await untilReady(hub(), serving());
    await setHealthy(false);
    await deleteComponent(hub(), serving());
    await untilGone(hub(), serving());
    expect(await pendingCleanups(hub())).toHaveLength(1);
    expect(await eventReasons(hub(), serving())).toContain('Deferred');
    expect(await deployments()).not.toBe('');
    const cleanup = cleanupOf(metadata.uid);
    const running = async () => ((await cleanup.describe()).status.name === 'RUNNING' ? true : undefined);
    await until('the cleanup runs', 60_000, running);
    await cleanup.terminate('a person pressed the button');
    await until('the cleanup runs again', 60_000, running);
    await setHealthy(true);
    expect(await cleanup.result()).toBe('clean');
    expect(await remainsOn(spoke())).toEqual([]);
    expect(await inventoryMirrors(hub())).toEqual([]);
    expect(await abandonments(hub())).toEqual([]);
  });

  test('made again with the same name keeps what it took over, and gets what the old one left', async () => {
    const file = join(scene.folder, 'extra.yaml');
    await writeFile(
      file,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra, namespace: knative-serving}\ndata: {}\n',
    );
    const old = serving({ additionalManifests: [{ URL: `file://${file}` }] });
    await applyComponent(hub(), old);
    const { metadata } = await untilReady(hub(), old);
    const before = await deployments();
    expect(await extra()).not.toBe('');
    await setHealthy(false);
    await deleteComponent(hub(), old);
    await untilGone(hub(), old);
    await kubectl(spoke(), [
      'delete',
      'configmap',
      '-n',
      'default',
      'knative-fleet-knativeserving-inventory',
    ]);
    const otherWay = { ...spoke(), name: 'other-way' };
    await registerSpoke({ hub: hub(), spoke: otherWay, namespace: inventoryNamespace });
    const again = serving(destination(otherWay));
    await applyComponent(hub(), again);
    await untilReady(hub(), again);
    expect(await deployments()).toBe(before);
    await setHealthy(true);
    expect(await cleanupOf(metadata.uid).result()).toBe('joined');
    await until('what nobody wants any more is gone', 60_000, async () =>
      (await extra()) === '' ? true : undefined,
    );
    expect(await deployments()).toBe(before);
    expect(await pendingCleanups(hub())).toEqual([]);
    await deleteComponent(hub(), again);
    await untilGone(hub(), again);
    expect(await remainsOn(spoke())).toEqual([]);
  });

  test('that is cleaned up by force leaves an exact record, and its remainder is removed when the spoke is back', async () => {
    await applyComponent(hub(), serving());
    const { metadata } = await untilReady(hub(), serving());
    await setHealthy(false);
    const object = ['knativeserving', 'serving', '-n', resourceNamespace];
    await kubectl(hub(), [
      'annotate',
      ...object,
      `fleet.knative.dev/force-cleanup=${metadata.uid}: it burns`,
    ]);
    await deleteComponent(hub(), serving());
    await untilGone(hub(), serving());
    const [record] = await abandonments(hub());
    expect(record).toMatchObject({ uid: metadata.uid, why: 'it burns' });
    expect(record?.['remaining']).toContain('Deployment knative-serving/controller');
    expect(await deployments()).not.toBe('');
    await setHealthy(true);
    await until('the spoke is clean', 60_000, async () =>
      (await remainsOn(spoke())).length === 0 ? true : undefined,
    );
    await until('the record says so', 60_000, async () => (await abandonments(hub()))[0]?.['cleanedAt']);
    expect((await abandonments(hub()))[0]?.['remaining']).toBe('');
    expect(await pendingCleanups(hub())).toEqual([]);
  });
});
