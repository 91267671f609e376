import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { Alarm } from './alarm.ts';
import { createAlarm } from './alarm.ts';
import { observeComponent } from './observe-component.ts';
import type { RepairBook } from './repair-book.ts';

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
}

/**
 * Observes every component that names the target until the signal aborts; rejects when one of them cannot be observed.
 * Resolves to false as soon as there is none.
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
  const component: Observed = { resource: seen.resource, alarm: createAlarm(signal), stop };
  observed.set(seen.resource.uid, component);
  const { alarm } = component;
  observeComponent({ deps, book, alarm, current: () => component.resource }, signal).catch(seen.fail);
}
