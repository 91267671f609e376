import type { ComponentResource } from '../../adapters/hub/components.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import { isOperatorError, messageOf, OperatorError } from '../../domain/errors.ts';
import { failureReasons } from '../../domain/status/reasons.ts';
import { openTarget } from '../pass/open-target.ts';
import type { EntryGroup } from './compare-target.ts';
import { groupEntries, lookAt } from './compare-target.ts';
import { driftIntervalMs } from './observable.ts';
import type { Observation } from './observation.ts';
import { refreshInventory } from './observation.ts';
import { isWatched, watchGroup } from './watch-few-kinds.ts';

/** Looks go by what the server says changed; this often everything is listed again, whatever it says. */
const fullMs = 3_600_000;

/** Compares what is due: after a pass everything, at the interval what is not watched, else nothing. */
export async function compare(observation: Observation, resource: ComponentResource): Promise<void> {
  const { resourceVersion } = resource.object.metadata;
  const due = performance.now() >= observation.checkAt;
  const changed = resourceVersion !== observation.resourceVersion;
  if (!due && !changed) return;
  if (due) await verifyTarget(observation, resource);
  const passed = await refreshInventory(observation);
  observation.resourceVersion = resourceVersion;
  const began = passed && startWatches(observation);
  if (due) {
    observation.checkAt = performance.now() + driftIntervalMs(resource) * (0.9 + Math.random() * 0.2);
  }
  // What a watch begins with is the same as a list.
  if (began) await lookAround(observation, unwatched(observation));
  else if (passed || performance.now() >= observation.fullAt) await lookAtEverything(observation);
  else if (due) await lookAround(observation, unwatched(observation));
}

/**
 * Proves that the target answers, and that it is the same connection to the same cluster. Without a doubt this is not
 * asked each time: whatever writes proves it anyway, and a connection that was replaced fails by itself.
 */
async function verifyTarget(observation: Observation, resource: ComponentResource): Promise<void> {
  if (!observation.doubtful && performance.now() < observation.fullAt) return;
  observation.doubtful = false;
  const { client } = await openTarget(observation.deps, resource, { signal: observation.signal });
  if (client === observation.target.client) return;
  throw new OperatorError(
    'RemoteClusterStale',
    `the connection to ${observation.target.identity.server} was replaced; it is observed through the new one`,
  );
}

function unwatched({ view, watching }: Observation): readonly EntryGroup[] {
  return groupEntries(view.entries).filter((group) => !watching.has(group.key));
}

async function lookAtEverything(observation: Observation): Promise<void> {
  observation.places.clear();
  observation.fullAt = performance.now() + fullMs;
  await lookAround(observation, groupEntries(observation.view.entries));
}

/** One failing kind must not hide the others, but a target that cannot be used ends the observation. */
async function lookAround(observation: Observation, groups: readonly EntryGroup[]): Promise<void> {
  const { deps, target, signal, view, places, current } = observation;
  const { ref } = current();
  const looks = groups.map(async (group) => {
    const comparison = { client: target.client, kind: ref.kind, signal };
    const { seen, until } = await lookAt(comparison, group, places.get(group.key));
    places.set(group.key, until);
    view.see(seen);
  });
  for (const result of await Promise.allSettled(looks)) {
    if (result.status === 'fulfilled') continue;
    if (concernsTarget(result.reason)) throw result.reason;
    deps.log.warn({ component: ref }, `a comparison failed and is repeated: ${messageOf(result.reason)}`);
  }
}

/** A failure that concerns the target as a whole, not one kind of object on it. */
function concernsTarget(error: unknown): boolean {
  if (!isOperatorError(error) || error.kind === 'SpokeForbidden') return false;
  return failureReasons[error.kind].condition === 'TargetClusterResolved';
}

/** Watches what is not watched yet; tells whether that was the beginning of all watches. */
function startWatches(observation: Observation): boolean {
  const { target, view, watching } = observation;
  const { installNamespace } = target.identity;
  const began = watching.size === 0;
  observation.fullAt = Math.min(observation.fullAt, performance.now() + fullMs);
  for (const group of groupEntries(view.entries)) {
    if (watching.has(group.key) || !isWatched(group, installNamespace)) continue;
    watching.add(group.key);
    watch(observation, group);
  }
  return began;
}

function watch(observation: Observation, group: EntryGroup): void {
  const { deps, target, signal, view, alarm, current } = observation;
  const component = formatComponentRef(current().ref);
  watchGroup({
    client: target.client,
    component: current().ref.kind,
    signal,
    current: () =>
      groupEntries(view.entries).find(({ key }) => key === group.key) ?? { ...group, entries: [] },
    see(sightings) {
      view.see(sightings);
      if (view.suspects.size > 0) alarm.ring();
    },
    onInterruption(error) {
      deps.log.debug({ component }, `watch interrupted: ${messageOf(error)}`);
      if (!concernsTarget(error)) return;
      observation.doubtful = true;
      observation.checkAt = 0;
      alarm.ring();
    },
  }).catch(observation.fail);
}
