import type { ComponentResource } from '../../adapters/hub/components.ts';
import { messageOf } from '../../domain/errors.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { Alarm } from './alarm.ts';
import { createAlarm } from './alarm.ts';
import { observeComponent } from './observe-component.ts';
import type { RepairBook } from './repair-book.ts';
import { tellAway } from './tell-health.ts';

/** Failed tries in a row after which components are told that the target is away. */
export const triesBeforeAway = 3;
const retryMs = { first: 2_000, longest: 20_000 };

export interface ObservedTarget {
  readonly deps: ActivityDependencies;
  readonly target: string;
  readonly book: RepairBook;
  /** Told the resources that name the target whenever one changed. */
  readonly onChange: (resources: readonly ComponentResource[]) => void;
}

interface Observed {
  resource: ComponentResource;
  readonly alarm: Alarm;
  readonly stop: AbortController;
  /** Tries in a row that failed; 0 while the target can be used. */
  failures: number;
}

/**
 * Observes every component that names the target until the signal aborts. One that cannot be observed is tried again by
 * itself, so that others go on; rejects when none can be. Resolves to false as soon as there is none.
 */
export async function observeComponents(parts: ObservedTarget, signal: AbortSignal): Promise<boolean> {
  const ended = new AbortController();
  const inner = AbortSignal.any([signal, ended.signal]);
  const observed = new Map<string, Observed>();
  const done = Promise.withResolvers<boolean>();
  inner.addEventListener('abort', () => done.resolve(true), { once: true });
  const onChange = (resources: readonly ComponentResource[]): void => {
    parts.onChange(resources);
    for (const [uid, { stop }] of observed) {
      if (resources.some((resource) => resource.uid === uid)) continue;
      stop.abort(new Error('the component is gone'));
      observed.delete(uid);
    }
    for (const resource of resources) notice(parts, observed, { resource, signal: inner, fail: done.reject });
    if (resources.length === 0) done.resolve(false);
  };
  parts.deps.hub.follower.follow(parts.target, { signal: inner, onChange });
  try {
    return await done.promise;
  } finally {
    ended.abort(new Error('the observation ended'));
  }
}

function notice(
  { deps, book }: ObservedTarget,
  observed: Map<string, Observed>,
  seen: {
    readonly resource: ComponentResource;
    readonly signal: AbortSignal;
    readonly fail: (error: unknown) => void;
  },
): void {
  const known = observed.get(seen.resource.uid);
  if (known !== undefined) {
    known.resource = seen.resource;
    known.alarm.ring();
    return;
  }
  const stop = new AbortController();
  const signal = AbortSignal.any([seen.signal, stop.signal]);
  const component: Observed = { resource: seen.resource, alarm: createAlarm(signal), stop, failures: 0 };
  observed.set(seen.resource.uid, component);
  const noneLeft = (): boolean => [...observed.values()].every(({ failures }) => failures > 0);
  void keepObserving({ deps, book, component, noneLeft }, signal).catch(seen.fail);
}

/** Rejects with the last failure when that leaves none that can be observed. */
async function keepObserving(
  parts: Pick<ObservedTarget, 'deps' | 'book'> & {
    readonly component: Observed;
    readonly noneLeft: () => boolean;
  },
  signal: AbortSignal,
): Promise<void> {
  const { deps, book, component, noneLeft } = parts;
  const { alarm } = component;
  const onOpen = (): void => void (component.failures = 0);
  while (!signal.aborted) {
    try {
      await observeComponent({ deps, book, alarm, onOpen, current: () => component.resource }, signal);
    } catch (error) {
      component.failures += 1;
      if (noneLeft()) throw error;
      const { ref } = component.resource;
      deps.log.info({ component: ref }, `it cannot be observed and is tried again: ${messageOf(error)}`);
      if (component.failures >= triesBeforeAway) await tellAway(deps, [component.resource], error);
      await alarm.wait(Math.min(retryMs.longest, retryMs.first * 2 ** component.failures));
    }
  }
}
