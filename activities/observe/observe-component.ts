import { compare } from './compare.ts';
import { observable } from './observable.ts';
import type { Observation, ObservedComponent } from './observation.ts';
import { openObservation } from './observation.ts';
import { tellBack } from './tell-health.ts';
import { reportDrift } from './report-drift.ts';

const longestWaitMs = 60_000;

/**
 * Watches and compares one component until the signal aborts. Writes nothing to the target. Rejects when the target
 * cannot be used or was connected anew.
 */
export async function observeComponent(component: ObservedComponent, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const failed = Promise.withResolvers<never>();
  try {
    const inner = AbortSignal.any([signal, ended.signal]);
    const observation = await openObservation(component, inner, failed.reject);
    component.onOpen();
    await tellBack(component.deps, [component.current()]);
    await Promise.race([observe(observation), failed.promise]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    ended.abort(new Error('the observation ended'));
  }
}

async function observe(observation: Observation): Promise<void> {
  const { signal, alarm, current } = observation;
  while (!signal.aborted) {
    const resource = current();
    const state = observable(resource);
    let waitMs = longestWaitMs;
    if (state !== 'none') {
      await compare(observation, resource);
      waitMs = Math.min(await reportDrift(observation, state), observation.checkAt - performance.now());
    }
    await alarm.wait(Math.min(waitMs, longestWaitMs));
  }
}
