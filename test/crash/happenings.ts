import { setTimeout as sleep } from 'node:timers/promises';

import { componentWorkflowId } from '../../workflows/component-workflow-id.ts';
import * as messages from '../../workflows/messages.ts';
import type { OperatorFleet } from '../support/operator-fleet.ts';
import type { ChaosComponent } from './chaos-component.ts';
import { changeByHand } from './chaos-component.ts';
import type { Disturbance, DisturbedWatches } from './disturbed-watches.ts';
import type { ObservedSpoke } from './observed-spoke.ts';
import type { Happening } from './random-schedule.ts';

/** What things happen to. */
export interface Lane {
  readonly scene: OperatorFleet;
  readonly hubWatches: DisturbedWatches;
  readonly spokes: readonly ObservedSpoke[];
  readonly components: readonly ChaosComponent[];
  readonly restart: () => Promise<void>;
  starterRuns: boolean;
}

type Happen = (lane: Lane, component: ChaosComponent, dice: number) => Promise<unknown>;

/** What is done to a component, its operator and its spoke by each happening; the number chooses the details. */
export const happenings: Readonly<Record<Happening, Happen>> = {
  edit: (_lane, component) => component.edit(),
  pause: (_lane, component, dice) => component.setPaused(dice % 3 === 0),
  remove: (_lane, component) => component.remove(),
  create: (_lane, component) => component.create(),
  async 'lose an object'(_lane, component, dice) {
    const object = await component.pick(dice);
    if (object !== undefined) await component.spoke.client.delete(object).catch(() => undefined);
  },
  'change an object': (_lane, { spoke }) => changeByHand(spoke),
  'kill the worker': (lane) => lane.restart(),
  async 'kill the starter'(lane) {
    await lane.scene.operator.killStarter();
    lane.starterRuns = false;
  },
  async 'start the starter'(lane) {
    await lane.scene.operator.killStarter();
    await startStarter(lane);
  },
  async 'repeat messages'({ scene }, component, dice) {
    const { metadata } = (await component.read()) ?? {};
    const uid = metadata?.uid ?? 'nobody';
    await signal(scene, component, async (handle) => {
      // Older ones after newer ones, and each twice.
      for (const generation of [1 + (dice % 4), 1, 1]) {
        await handle.signal(messages.resourceChanged, { uid, generation });
      }
      await handle.signal(messages.targetChanged, { hash: String(dice) });
    });
  },
  async 'tell what is not so'({ scene }, component, dice) {
    const view = await component.read();
    // A message that is true by accident would prove nothing.
    if (view === undefined || view.metadata.deletionTimestamp !== undefined) return;
    const { uid } = view.metadata;
    await signal(scene, component, async (handle) => {
      if (dice % 4 === 0) await handle.signal(messages.resourceDeleted, { uid });
      if (dice % 4 === 1) await handle.signal(messages.resourceGone, { uid });
      if (dice % 4 === 2) await handle.signal(messages.resourceChanged, { uid: 'a stranger', generation: 3 });
      if (dice % 4 === 3) await handle.signal(messages.driftDetected, { uid, objects: ['none'], count: 1 });
    });
  },
  'cut connections': async (_lane, { spoke }) => spoke.cutConnections(),
  'answer 503': async (_lane, { spoke }, dice) => spoke.fail('answer 503', dice % 40),
  'answer 429': async (_lane, { spoke }, dice) => spoke.fail('answer 429', dice % 10),
  'withhold answers': async (_lane, { spoke }, dice) => spoke.fail('withhold answers', dice % 10),
  'lose events': async (lane, component, dice) => disturb('drop', { lane, component, dice }),
  'double events': async (lane, component, dice) => disturb('double', { lane, component, dice }),
  'reorder events': async (lane, component, dice) => disturb('swap', { lane, component, dice }),
  'let it rest': (_lane, _component, dice) => sleep(dice * 3),
};

export async function startStarter(lane: Lane): Promise<void> {
  await lane.scene.operator.startStarter();
  lane.starterRuns = true;
}

/** Those of the hub in two of three cases, else those of the spoke. */
function disturb(
  how: Disturbance,
  at: { readonly lane: Lane; readonly component: ChaosComponent; readonly dice: number },
): void {
  const { lane, component, dice } = at;
  const { watches } = component.spoke;
  (dice % 3 === 0 ? watches : lane.hubWatches).disturb(how, 1 + (dice % 20));
}

type Handle = ReturnType<OperatorFleet['temporal']['workflow']['getHandle']>;

/** To the workflow of a component, if it has one now. */
async function signal(
  { temporal }: OperatorFleet,
  { component }: ChaosComponent,
  send: (handle: Handle) => Promise<void>,
): Promise<void> {
  const handle = temporal.workflow.getHandle(componentWorkflowId(component, ''));
  await send(handle).catch(() => undefined);
}
