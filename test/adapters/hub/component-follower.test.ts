import { describe, expect, test } from 'vitest';

import { createComponentFollower } from '../../../adapters/hub/component-follower.ts';
import type { ComponentFollower } from '../../../adapters/hub/component-follower.ts';
import type { ClusterClient, WatchEvent, WatchOptions } from '../../../adapters/kubernetes/cluster-client.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';

/** A hub whose watches tell what the test says. */
function hubUnderTest() {
  const queues = new Map<string, { events: WatchEvent[]; wake: () => void }>();
  let watches = 0;
  const client = {
    async *watch({ kind, signal }: WatchOptions & { signal: AbortSignal }) {
      watches += 1;
      const queue = { events: [] as WatchEvent[], wake: (): void => undefined };
      queues.set(kind, queue);
      while (!signal.aborted) {
        const event = queue.events.shift();
        if (event !== undefined) yield event;
        else {
          await new Promise<void>((resolve) => {
            queue.wake = resolve;
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
        }
      }
    },
  } as unknown as ClusterClient;
  const tell = async (kind: string, event: WatchEvent): Promise<void> => {
    await expect.poll(() => queues.has(kind)).toBe(true);
    queues.get(kind)?.events.push(event);
    queues.get(kind)?.wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { client, tell, watches: () => watches };
}

function serving(name: string, profile: string, resourceVersion = '1'): ManifestObject {
  const [namespace, profileName] = profile.split('/');
  return {
    apiVersion: 'operator.knative.dev/v1beta1',
    kind: 'KnativeServing',
    metadata: { name, namespace: 'team', uid: name, resourceVersion },
    spec: { destination: { clusterProfileRef: { namespace, name: profileName } } },
  };
}

function follow(follower: ComponentFollower, target: string) {
  const told: string[][] = [];
  const stop = new AbortController();
  follower.follow(target, {
    signal: stop.signal,
    onChange: (resources) => told.push(resources.map(({ ref }) => ref.name)),
  });
  return { told, stop };
}

describe('following the resources of a target', () => {
  test('tells its resources once both kinds are known, and again only after one of them changed', async () => {
    const hub = hubUnderTest();
    const { told, stop } = follow(
      createComponentFollower(hub.client, () => undefined),
      'fleet/one',
    );
    await hub.tell('KnativeServing', {
      type: 'SYNC',
      objects: [serving('a', 'fleet/one'), serving('b', 'fleet/two')],
    });
    expect(told).toEqual([]);
    await hub.tell('KnativeEventing', { type: 'SYNC', objects: [] });
    expect(told).toEqual([['a']]);
    await hub.tell('KnativeServing', { type: 'MODIFIED', object: serving('b', 'fleet/two', '2') });
    expect(told).toHaveLength(1);
    await hub.tell('KnativeServing', { type: 'ADDED', object: serving('c', 'fleet/one') });
    await hub.tell('KnativeServing', { type: 'MODIFIED', object: serving('a', 'fleet/one', '3') });
    await hub.tell('KnativeServing', { type: 'DELETED', object: serving('a', 'fleet/one', '4') });
    expect(told.slice(1)).toEqual([['a', 'c'], ['a', 'c'], ['c']]);
    await hub.tell('KnativeServing', { type: 'SYNC', objects: [] });
    expect(told.at(-1)).toEqual([]);
    stop.abort();
  });

  test('shares one watch for each kind among all, and ends it with the last', async () => {
    const hub = hubUnderTest();
    const follower = createComponentFollower(hub.client, () => undefined);
    const first = follow(follower, 'fleet/one');
    await hub.tell('KnativeServing', { type: 'SYNC', objects: [serving('a', 'fleet/two')] });
    await hub.tell('KnativeEventing', { type: 'SYNC', objects: [] });
    const second = follow(follower, 'fleet/two');
    expect(second.told).toEqual([['a']]);
    expect(hub.watches()).toBe(2);
    first.stop.abort();
    second.stop.abort();
    const third = follow(follower, 'fleet/two');
    await expect.poll(() => hub.watches()).toBe(4);
    expect(third.told).toEqual([]);
    third.stop.abort();
  });
});
