import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { until } from '../../../dev/processes/until.ts';
import { componentWorkflowId } from '../../../workflows/component-workflow-id.ts';
import * as messages from '../../../workflows/messages.ts';
import { renewGoLease } from '../../support/go-installation.ts';
import { eventReasons } from '../../support/hub-objects.ts';
import {
  applyComponent,
  deleteComponent,
  eventingOn,
  readComponent,
  sampleReleases,
  servingOn,
  startOperatorFleet,
  untilCondition,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';

describe('a Go operator that starts while this software runs', () => {
  let scene: OperatorFleet;
  let renewing: NodeJS.Timeout | undefined;

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 1, releases: sampleReleases.root });
    await Promise.all([serving('one'), eventing()].map((component) => applyComponent(hub(), component)));
    await Promise.all([serving('one'), eventing()].map((component) => untilReady(hub(), component)));
  });

  afterEach(() => clearInterval(renewing));

  afterAll(async () => {
    await scene?.stop();
  });

  const hub = () => scene.fleet.hub;
  const spoke = () => {
    const [first] = scene.fleet.spokes;
    if (first === undefined) throw new Error('a spoke is needed');
    return first;
  };
  const serving = (sample: string): Component => servingOn(spoke(), { config: { features: { sample } } });
  const eventing = (): Component => eventingOn(spoke(), { version: sampleReleases.eventing });
  const workflow = (component: Component) =>
    scene.temporal.workflow.getHandle(componentWorkflowId(component, ''));

  /** Renews the Lease until the test ends, and waits until starter and worker know. */
  async function startGoOperator(component: Component): Promise<void> {
    const renew = () => renewGoLease(hub(), 'KnativeServing', new Date());
    await renew();
    renewing = setInterval(() => void renew().catch(() => undefined), 5_000);
    await until('the starter says so', 60_000, async () =>
      (await eventReasons(hub(), component)).includes('GoOperatorActive') ? true : undefined,
    );
    // A look of the worker serves it for five seconds, and the event may be of an earlier time.
    await sleep(6_000);
  }

  async function stopGoOperator(): Promise<void> {
    clearInterval(renewing);
    // The last renewal may be under way.
    await sleep(1_000);
    await renewGoLease(hub(), 'KnativeServing', new Date(Date.now() - 3_600_000));
  }

  async function sampleOnSpoke(): Promise<string> {
    const features = ['get', 'configmap', 'config-features', '-n', 'knative-serving'];
    return kubectl(spoke(), [...features, '-o', 'jsonpath={.data.sample}']);
  }

  test('holds an edit although the workflow was told of it, until that operator stops', async () => {
    const component = serving('two');
    await startGoOperator(component);
    await applyComponent(hub(), component);
    const { metadata } = (await readComponent(hub(), component)) ?? {};
    const { uid = '', generation = 0 } = metadata ?? {};
    await workflow(component).signal(messages.resourceChanged, { uid, generation });
    const held = { type: 'TargetClusterResolved', status: 'False', reason: 'GoOperatorActive' };
    const { status } = await untilCondition(hub(), component, { ...held, within: 60_000 });
    const shown = status?.conditions?.find(({ type }) => type === held.type)?.message;
    expect(shown).toContain('knative-operator-5d8_1 renews leader Lease knative-operator/knative-operator.');
    await sleep(2_000);
    expect(await sampleOnSpoke()).toBe('one');
    await stopGoOperator();
    await untilCondition(hub(), component, { type: held.type, status: 'True' });
    await untilReady(hub(), component);
    expect(await sampleOnSpoke()).toBe('two');
  });

  test('holds a removal, which goes on by itself when that operator stops', async () => {
    const component = serving('two');
    await startGoOperator(component);
    const { uid = '' } = (await readComponent(hub(), component))?.metadata ?? {};
    await deleteComponent(hub(), component);
    await workflow(component).signal(messages.resourceDeleted, { uid });
    const blocked = { type: 'Finalizing', status: 'True', reason: 'Blocked' };
    const { status } = await untilCondition(hub(), component, { ...blocked, within: 60_000 });
    const shown = status?.conditions?.find(({ type }) => type === blocked.type)?.message;
    expect(shown).toMatch(/^GoOperatorActive: a Go operator is at work on this hub/);
    await sleep(2_000);
    expect(await sampleOnSpoke()).toBe('two');
    await stopGoOperator();
    await untilGone(hub(), component);
    await expect(sampleOnSpoke()).rejects.toThrow(/not found/);
  });

  test('does not hold a forced cleanup', async () => {
    const component = eventing();
    await startGoOperator(component);
    const { uid = '' } = (await readComponent(hub(), component))?.metadata ?? {};
    await deleteComponent(hub(), component);
    await workflow(component).signal(messages.resourceDeleted, { uid });
    await workflow(component).signal(messages.forceCleanup, { requestedBy: 'ada', reason: 'it goes' });
    await untilGone(hub(), component);
    await expect(kubectl(spoke(), ['get', 'namespace', 'knative-eventing'])).rejects.toThrow(/not found/);
  });
});
