import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeCertificates } from '../../../dev/certificates/make-certificates.ts';
import {
  applyComponent,
  sampleReleases,
  startOperatorFleet,
  untilCondition,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, ComponentView, OperatorFleet } from '../../support/operator-fleet.ts';
import { failedAttempts, triggerPass, untilPassed } from '../../support/passes.ts';
import type { Fault } from './fault-table.ts';
import { faultLanes } from './fault-table.ts';
import type { FaultySpoke, FaultySpokeOptions } from './faulty-spoke.ts';
import { startFaultySpoke } from './faulty-spoke.ts';

const own = await makeCertificates(['IP:127.0.0.1']);
const lanes = Object.entries(faultLanes(own, await makeCertificates(['IP:127.0.0.1'])));

/** For the row of slow answers and for the one that lasts a minute, on a busy machine. */
const passMs = 240_000;

describe('a fault between the operator and a spoke', () => {
  let scene: OperatorFleet;
  let control: FaultySpoke;
  const spokes = new Map<string, FaultySpoke>();

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 3, releases: sampleReleases.root });
    const places = placesFor([...lanes.map(([lane]) => lane), 'control']);
    for (const place of places) spokes.set(place.name, await startFaultySpoke(place));
    control = spokeOf('control');
    const components = [...spokes.values()].map(({ component }) => component);
    await Promise.all(components.map((component) => applyComponent(scene.fleet.hub, component)));
    await Promise.all(components.map((component) => untilReady(scene.fleet.hub, component)));
  });

  afterAll(async () => {
    await scene?.stop();
    await Promise.all([...spokes.values()].map((spoke) => spoke.stop()));
  });

  /** Two components to a cluster, one of each kind; every other lane speaks HTTP/1.1. */
  function placesFor(names: readonly string[]): readonly FaultySpokeOptions[] {
    const { hub, spokes: clusters } = scene.fleet;
    return names.map((name, index) => ({
      hub,
      cluster: [...clusters, hub][index >> 1] ?? hub,
      name,
      kind: index % 2 === 0 ? 'KnativeEventing' : 'KnativeServing',
      protocol: (index >> 1) % 2 === 0 ? 'h2' : 'http/1.1',
      certificates: own,
      spec: { version: sampleReleases.eventing },
    }));
  }

  function spokeOf(name: string): FaultySpoke {
    const spoke = spokes.get(name);
    if (spoke === undefined) throw new Error(`no spoke for ${name}`);
    return spoke;
  }

  let controlled = 0;
  let queue = Promise.resolve();
  /** A whole pass on the spoke that has no fault. */
  function controlPasses(): Promise<void> {
    queue = queue.then(async () => {
      const trigger = `control-${String(++controlled)}`;
      await triggerPass(scene.fleet.hub, control.component, trigger);
      await untilPassed(scene, control.component, { trigger });
    });
    return queue;
  }

  async function isShown(component: Component, shown: NonNullable<Fault['shown']>): Promise<void> {
    const type = 'TargetClusterResolved';
    const wanted = { type, status: 'False', reason: shown.reason };
    const view = await untilCondition(scene.fleet.hub, component, wanted);
    const condition = conditionOf(view, type);
    expect(condition?.message).toMatch(shown.message);
    expect(condition?.message).toContain(`ClusterProfile fleet/${component.name}`);
    expect(conditionOf(view, 'Ready')).toMatchObject({
      status: 'False',
      reason: shown.reason,
      message: condition?.message,
    });
    for (const kept of ['InstallSucceeded', 'DeploymentsAvailable', 'VersionMigrationEligible'])
      expect(conditionOf(view, kept)?.status).toBe('True');
    expect(view.status?.['unverifiedSince']).toMatch(/^\d{4}-/);
  }

  /** The fault shows, costs the other spoke nothing, shows for as long as it lasts, and ends. */
  async function survives(spoke: FaultySpoke, fault: Fault, trigger: string): Promise<void> {
    if (fault.shown === undefined) return;
    await isShown(spoke.component, fault.shown);
    await controlPasses();
    await sleep(fault.lastsMs ?? 0);
    await isShown(spoke.component, fault.shown);
    await fault.end(spoke);
    await untilPassed(scene, spoke.component, { trigger });
  }

  /** A fault that is waited out: no try of the pass fails. */
  async function passesUnder(spoke: FaultySpoke, fault: Fault, trigger: string): Promise<void> {
    const before = await failuresOf(scene, spoke.component);
    await untilPassed(scene, spoke.component, { trigger, within: passMs });
    await fault.end(spoke);
    expect((await failuresOf(scene, spoke.component)).slice(before.length)).toEqual([]);
  }

  for (const [lane, faults] of lanes) {
    describe.concurrent(`on the ${lane} spoke`, () => {
      test.sequential.each(faults.map((fault) => [fault.name, fault] as const))(
        '%s',
        async (name, fault) => {
          const spoke = spokeOf(lane);
          const trigger = name.replaceAll(/\W+/g, '-');
          await fault.begin(spoke);
          await triggerPass(scene.fleet.hub, spoke.component, trigger);
          await (fault.shown === undefined ? passesUnder : survives)(spoke, fault, trigger);
          const view = await untilReady(scene.fleet.hub, spoke.component);
          expect(view.status?.['unverifiedSince']).toBeUndefined();
        },
        passMs,
      );
    });
  }

  test('no fault of one spoke cost another one a single try', async () => {
    await controlPasses();
    expect(controlled).toBeGreaterThan(lanes.length);
    expect(await failuresOf(scene, control.component)).toEqual([]);
  });
});

async function failuresOf(scene: OperatorFleet, component: Component) {
  return (await failedAttempts(scene)).filter((failed) => failed.component === component.name);
}

function conditionOf(view: ComponentView, type: string) {
  return view.status?.conditions?.find((condition) => condition.type === type);
}
