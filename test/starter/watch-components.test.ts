import { describe, expect, test } from 'vitest';

import { resourceOf } from '../../adapters/hub/components.ts';
import type { WatchEvent } from '../../adapters/kubernetes/cluster-client.ts';
import { componentApi } from '../../domain/api/component-ref.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ComponentWorkflows } from '../../starter/component-workflows.ts';
import { watchComponents } from '../../starter/watch-components.ts';

const ref = { kind: 'KnativeServing', namespace: 'team', name: 'serving' } as const;

function resource(trigger: string, acknowledged: string) {
  const annotations = { 'reconcile.knative.dev/trigger': trigger };
  const { namespace, name } = ref;
  return resourceOf(ref, {
    apiVersion: 'operator.knative.dev/v1beta1',
    kind: ref.kind,
    metadata: { namespace, name, uid: 'u', generation: 1, annotations, finalizers: [] },
    status: { acknowledged: { generation: 1, trigger: acknowledged } },
  });
}

function onHub(name: string, resourceVersion: string, more: object = {}): ManifestObject {
  const metadata = { namespace: ref.namespace, name, uid: `uid-of-${name}`, generation: 1, resourceVersion };
  const { apiVersion } = componentApi;
  return { apiVersion, kind: ref.kind, metadata: { ...metadata, ...more } };
}

/** A hub whose watch tells `events` and no more, while `objects` is what there really is. */
function hubThat(events: readonly WatchEvent[], objects: readonly ManifestObject[]) {
  return {
    watch: async function* () {
      yield* events;
    },
    list: async () => objects,
    get: async ({ name }: { name: string }) => objects.find(({ metadata }) => metadata.name === name),
  };
}

/** A watch and what workflows are told by it, in order. */
function watching(hub: object = hubThat([], [])) {
  const told: string[] = [];
  const note =
    (what: string) =>
    async (about: object): Promise<void> => {
      const { ref: named = about } = about as { ref?: object };
      const { name } = named as { name: string };
      told.push(name === ref.name ? what : `${what} ${name}`);
    };
  const workflows: ComponentWorkflows = {
    ensure: note('ensure'),
    changed: note('changed'),
    deleted: note('deleted'),
    nudge: note('nudge'),
    forceCleanup: note('forceCleanup'),
    gone: note('gone'),
    targetChanged: note('targetChanged'),
    open: async () => [],
  };
  const silent = () => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const watch = watchComponents({
    hub: hub as never,
    workflows,
    log: log as never,
    kind: ref.kind,
    hubId: '',
  });
  return { watch, told };
}

describe('the watch of components', () => {
  test('asks once for the pass of an annotation that a pass is serving when a sweep comes, and again when it is lost', async () => {
    const { watch, told } = watching();
    const asked = resource('now', '');
    await watch.announce(asked, false);
    await watch.announce(asked, true);
    expect(told).toEqual(['nudge', 'ensure']);
    await watch.announce(asked, true);
    expect(told).toEqual(['nudge', 'ensure', 'nudge']);
    await watch.announce(resource('now', 'now'), true);
    expect(told.at(-1)).toBe('ensure');
  });

  test('asks again when the annotation changes meanwhile', async () => {
    const { watch, told } = watching();
    await watch.announce(resource('one', ''), false);
    await watch.announce(resource('two', ''), false);
    expect(told).toEqual(['nudge', 'nudge']);
  });

  test('finds by a list what no event told: an edit, a deletion, a new resource and one that is gone', async () => {
    const before = ['edited', 'deleted', 'gone', 'same'].map((name) => onHub(name, '1'));
    const finalizers = [componentApi[ref.kind].finalizer];
    const now = [
      onHub('edited', '2', { generation: 2 }),
      onHub('deleted', '2', { deletionTimestamp: '2026-11-30T10:00:00Z', finalizers }),
      onHub('new', '2'),
      onHub('same', '1'),
    ];
    const { watch, told } = watching(hubThat([{ type: 'SYNC', objects: before }], now));
    await watch.run(new AbortController().signal);
    told.length = 0;
    await watch.catchUp();
    expect(told).toEqual(['changed edited', 'deleted deleted', 'changed new', 'gone gone']);
    expect([...watch.known.values()].map(({ object }) => object)).toEqual(expect.arrayContaining(now));
    told.length = 0;
    await watch.catchUp();
    expect(told).toEqual([]);
  });

  test('is not led astray by events that come out of order', async () => {
    const newer = onHub('one', '3', { generation: 3 });
    const events: readonly WatchEvent[] = [
      { type: 'SYNC', objects: [] },
      { type: 'MODIFIED', object: newer },
      { type: 'MODIFIED', object: onHub('one', '2', { generation: 2 }) },
      { type: 'DELETED', object: onHub('two', '5') },
      { type: 'MODIFIED', object: onHub('two', '4') },
    ];
    const { watch, told } = watching(hubThat(events, [newer]));
    await watch.run(new AbortController().signal);
    told.length = 0;
    await watch.catchUp();
    expect(told).toEqual(['changed one', 'gone two']);
    expect([...watch.known.values()].map(({ object }) => object)).toEqual([newer]);
  });
});
