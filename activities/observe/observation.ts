import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { OpenTarget } from '../pass/open-target.ts';
import { openTarget } from '../pass/open-target.ts';
import type { Alarm } from './alarm.ts';
import { comparedEntries } from './compare-target.ts';
import type { DriftView } from './drift-view.ts';
import { createDriftView } from './drift-view.ts';
import type { RepairBook } from './repair-book.ts';

/** One component that is observed. */
export interface ObservedComponent {
  readonly deps: ActivityDependencies;
  /** The resource as last seen. */
  readonly current: () => ComponentResource;
  /** Rings when the resource or something on the target changed. */
  readonly alarm: Alarm;
  readonly book: RepairBook;
  /** Told that the target could be used. */
  readonly onOpen: () => void;
}

/** An observation from the opening of the target to its first failure. */
export interface Observation extends ObservedComponent {
  readonly target: OpenTarget;
  readonly signal: AbortSignal;
  readonly view: DriftView;
  /** Where the last look at a group ended. */
  readonly places: Map<string, string | undefined>;
  /** Groups under watch. */
  readonly watching: Set<string>;
  /** Objects whose next repair waits, with the number of repairs that was told. */
  readonly heldBack: Map<string, number>;
  /** Ends the observation with a failure. */
  readonly fail: (error: unknown) => void;
  /** Versions of the inventory and of the resource that the view follows. */
  inventoryVersion: string | undefined;
  resourceVersion: string | undefined;
  inventoryLost: boolean;
  /** Something hints at a target that is away or another one. */
  doubtful: boolean;
  /** Monotonic times of the next comparison and of the next one that lists everything again. */
  checkAt: number;
  fullAt: number;
}

export async function openObservation(
  component: ObservedComponent,
  signal: AbortSignal,
  fail: (error: unknown) => void,
): Promise<Observation> {
  return {
    ...component,
    target: await openTarget(component.deps, component.current(), { signal }),
    signal,
    view: createDriftView(),
    places: new Map(),
    watching: new Set(),
    heldBack: new Map(),
    fail,
    inventoryVersion: undefined,
    resourceVersion: undefined,
    inventoryLost: false,
    doubtful: false,
    checkAt: 0,
    fullAt: Infinity,
  };
}

/** Reads the inventory again when it was written since; tells whether there is something new to go by. */
export async function refreshInventory(observation: Observation): Promise<boolean> {
  const { deps, target, signal, current, view } = observation;
  const { ref, uid } = current();
  const store = deps.target.inventory(target.client, ref);
  const version = await store.version(signal);
  if (version !== undefined && version === observation.inventoryVersion) return false;
  const inventory = version === undefined ? undefined : await store.read(signal);
  observation.inventoryLost = inventory === undefined;
  if (inventory?.uid !== uid) return false;
  observation.inventoryVersion = version;
  view.expect(comparedEntries(inventory));
  return true;
}
