import { formatComponentRef } from '../../domain/api/component-ref.ts';
import { messageOf } from '../../domain/errors.ts';
import { describeDrift } from '../../domain/manifests/drift.ts';
import { kubernetesTime } from '../../domain/status/kubernetes-time.ts';
import { sight } from './compare-target.ts';
import type { Suspect } from './drift-view.ts';
import type { Observation } from './observation.ts';
import { refreshInventory } from './observation.ts';

/** Our own pass changes an object and writes down what is to be expected a moment later. */
const settleMs = { ready: 250, waiting: 5_000 } as const;
const maxObjects = 3;
/** More are believed without another look at each. */
const maxConfirmed = 30;

/**
 * Asks the component's workflow for a repair of what is changed and still is at a second look. What keeps coming back is
 * asked for less and less often, and an event says so. Returns the milliseconds until there is more to do.
 */
export async function reportDrift(observation: Observation, state: 'ready' | 'waiting'): Promise<number> {
  if (observation.inventoryLost) {
    await reportLostInventory(observation);
    return Infinity;
  }
  const { view } = observation;
  const now = performance.now();
  const readyAt = (suspect: Suspect): number => Math.max(suspect.since + settleMs[state], suspect.nextAskAt);
  const settled = [...view.suspects].filter(([, suspect]) => readyAt(suspect) <= now);
  await tellHeldBack(observation, settled);
  const due = settled.filter(([key]) => heldMs(observation, key) === 0).map(([key]) => key);
  if (due.length > 0) await ask(observation, await confirm(observation, due));
  const waits = [...view.suspects].map(([key, suspect]) =>
    Math.max(readyAt(suspect) - performance.now(), heldMs(observation, key)),
  );
  return Math.min(Infinity, ...waits);
}

function bookKey({ current }: Observation, key: string): string {
  return `${formatComponentRef(current().ref)} ${key}`;
}

function heldMs(observation: Observation, key: string): number {
  return Math.max(0, observation.book.nextAt(bookKey(observation, key)) - Date.now());
}

/** Those that are still changed, by what is expected now. */
async function confirm(observation: Observation, keys: readonly string[]): Promise<readonly string[]> {
  const { view, target, signal } = observation;
  await refreshInventory(observation);
  const entries = keys.slice(0, maxConfirmed).flatMap((key) => view.suspects.get(key)?.drift.entry ?? []);
  view.see(await Promise.all(entries.map((entry) => sight({ client: target.client, signal }, entry))));
  return keys.filter((key) => view.suspects.has(key));
}

async function ask(observation: Observation, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const { deps, view, book, current } = observation;
  const { ref, uid } = current();
  const objects = keys.slice(0, maxObjects).flatMap((key) => describe(observation, key));
  const fight = keys.find((key) => book.isFight(bookKey(observation, key)));
  const report = {
    uid,
    objects,
    count: keys.length,
    ...(fight === undefined ? {} : { fight: describeFight(observation, fight) }),
  };
  const fresh = keys.filter((key) => view.suspects.get(key)?.asked === 0);
  for (const key of fresh) book.repaired(bookKey(observation, key));
  if (fresh.length > 0) deps.drift.found(ref, fresh.length);
  view.asked(keys);
  try {
    await deps.signals.driftDetected(ref, report);
    deps.log.info({ component: ref, objects, count: keys.length }, 'drift');
  } catch (error) {
    deps.log.warn({ component: ref }, `drift could not be reported and is again: ${messageOf(error)}`);
  }
}

function describe({ view }: Observation, key: string): string[] {
  const suspect = view.suspects.get(key);
  return suspect === undefined ? [] : [describeDrift(suspect.drift)];
}

function describeFight(observation: Observation, key: string): string {
  const repairs = observation.book.repairs(bookKey(observation, key));
  const name = describe(observation, key).join('').slice(0, 120);
  return `${name}; repaired ${String(repairs)} times, and it comes back: repairs wait longer and longer`;
}

/** Events that are equal are one; the number of repairs and the time are in the text, so each hold is told once. */
async function tellHeldBack(
  observation: Observation,
  settled: readonly (readonly [key: string, suspect: Suspect])[],
): Promise<void> {
  const { deps, book, current, heldBack } = observation;
  for (const [key, { drift }] of settled) {
    const until = book.nextAt(bookKey(observation, key));
    const repairs = book.repairs(bookKey(observation, key));
    if (until <= Date.now() || heldBack.get(key) === repairs) continue;
    heldBack.set(key, repairs);
    const { ref, uid } = current();
    const message =
      `${describeDrift(drift)}; it was repaired ${String(repairs)} times and comes back, so the next repair waits until ` +
      `${kubernetesTime(new Date(until))}. Stop the other writer, or make the change in the resource`;
    await deps.hub.events.record(ref, uid, { type: 'Warning', reason: 'DriftReturns', message });
  }
}

/** The pass writes it again; without it a removal would have to search. */
async function reportLostInventory(observation: Observation): Promise<void> {
  const { deps, current } = observation;
  const { ref, uid } = current();
  observation.inventoryLost = false;
  observation.doubtful = true;
  const report = { uid, objects: ['the inventory on the target was deleted or damaged'], count: 1 };
  await deps.signals.driftDetected(ref, report).catch((error: unknown) => {
    deps.log.warn({ component: ref }, `the lost inventory could not be reported: ${messageOf(error)}`);
  });
}
