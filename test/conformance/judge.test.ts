import { describe, expect, test } from 'vitest';

import type { DeliberateDifference } from './deliberate-differences.ts';
import { judge } from './judge.ts';

const entry: DeliberateDifference = {
  cases: ['one', 'two'],
  object: '/ConfigMap/ns/a',
  path: 'spec.env[].value',
  ours: 'x',
  why: 'y',
};
const difference = (path: string, object = entry.object) => ({ object, path, ours: 1, recorded: 2 });

describe('judge', () => {
  test.each([
    ['spec.env[3].value', true],
    ['spec.env[0].value.deep', true],
    ['spec.env[0].value[1]', true],
    ['spec.env[0].valueFrom', false],
    ['spec.env[0]', false],
    ['spec', false],
  ])('takes a difference at %s for deliberate: %s', (path, deliberate) => {
    const { unexplained, explained, stale } = judge({ name: 'one' }, [difference(path)], [entry]);
    expect(unexplained).toHaveLength(deliberate ? 0 : 1);
    expect([explained.length, stale.length]).toEqual(deliberate ? [1, 0] : [0, 1]);
  });

  test('explains nothing in other objects and other cases', () => {
    const path = 'spec.env[0].value';
    expect(judge({ name: 'one' }, [difference(path, '/ConfigMap/ns/b')], [entry]).unexplained).toHaveLength(
      1,
    );
    expect(judge({ name: 'three' }, [difference(path)], [entry]).unexplained).toHaveLength(1);
  });

  test('reports an entry that does not show in a case that it names, and only there', () => {
    expect(judge({ name: 'two' }, [], [entry]).stale).toEqual([entry]);
    expect(judge({ name: 'three' }, [], [entry]).stale).toEqual([]);
  });
});
