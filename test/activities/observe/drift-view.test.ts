import { describe, expect, test } from 'vitest';

import { createDriftView } from '../../../activities/observe/drift-view.ts';
import type { InventoryEntry } from '../../../domain/manifests/inventory.ts';

const entry = (name: string, uid = 'u'): InventoryEntry => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'ns',
  name,
  since: '',
  uid,
});

const [a, b] = ['/ConfigMap/ns/a', '/ConfigMap/ns/b'];

describe('the view of a component', () => {
  test('suspects what was seen changed, until it is seen as expected', () => {
    const view = createDriftView();
    view.expect([entry('a'), entry('b')]);
    view.see([
      [a, undefined],
      [b, { uid: 'u' }],
      ['/ConfigMap/ns/foreign', undefined],
    ]);
    expect([...view.suspects.keys()]).toEqual([a]);
    view.see([[a, { uid: 'u' }]]);
    expect(view.suspects.size).toBe(0);
  });

  test('goes by what the last pass wrote down', () => {
    const view = createDriftView();
    view.expect([entry('a')]);
    view.see([[a, { uid: 'other' }]]);
    view.expect([entry('a', 'other')]);
    view.see([[a, { uid: 'other' }]]);
    expect(view.suspects.size).toBe(0);
    view.see([[a, undefined]]);
    view.expect([]);
    expect(view.suspects.size).toBe(0);
  });

  test('has the names and fields of one release in memory once, however many spokes have it', () => {
    const fields = () => ({ 'f:data': { 'f:sample': {} } });
    const [one, other] = [createDriftView(), createDriftView()];
    one.expect([{ ...entry('a', 'first'), fields: fields() }]);
    other.expect([{ ...entry('a', 'second'), fields: fields() }]);
    expect(one.entries[0]?.fields).toBe(other.entries[0]?.fields);
    expect(one.entries[0]).toEqual({ ...entry('a', 'first'), fields: fields() });
    expect(other.entries[0]?.uid).toBe('second');
  });

  test('asks again later and later for what stays changed, and at once for what changed anew', () => {
    const view = createDriftView();
    view.expect([entry('a')]);
    view.see([[a, undefined]]);
    expect(view.suspects.get(a)).toMatchObject({ asked: 0, nextAskAt: 0 });
    const waits = [1, 2, 3].map(() => {
      const before = performance.now();
      view.asked([a]);
      view.see([[a, undefined]]);
      return Math.round(((view.suspects.get(a)?.nextAskAt ?? 0) - before) / 1_000);
    });
    expect(waits).toEqual([3, 6, 12]);
    view.see([[a, { uid: 'u' }]]);
    view.see([[a, undefined]]);
    expect(view.suspects.get(a)?.asked).toBe(0);
  });
});
