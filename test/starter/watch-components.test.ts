import { describe, expect, test } from 'vitest';

import { resourceOf } from '../../adapters/hub/components.ts';
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

/** A watch and what workflows are told by it, in order. */
function watching() {
  const told: string[] = [];
  const note = (what: string) => async () => void told.push(what);
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
  const hub = { watch: async function* () {} };
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
});
