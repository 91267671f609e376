import { describe, expect, test } from 'vitest';

import type { Walk } from './plan-walks.ts';
import { planWalks } from './plan-walks.ts';
import type { RecordedCase } from './recordings.ts';

const made = (name: string, version: string, more: Partial<RecordedCase> = {}): RecordedCase => ({
  name,
  kind: 'KnativeServing',
  local: false,
  metadata: { name: 'knative-serving', namespace: 'knative-serving' },
  spec: { version },
  ready: true,
  status: { conditions: [], version },
  objects: [],
  ...more,
});
const cases = [
  ...['a', 'b', 'c', 'd', 'e'].map((name) => made(name, '1.22.1')),
  made('unready', '1.22.1', { ready: false, status: { conditions: [] } }),
  made('old', '1.21.0'),
  made('new', '1.23.0'),
  made('oldest', '1.20.0'),
  made('local', '1.22.1', { local: true }),
  ...['x', 'y', 'z'].map((name) => made(name, '1.22.2', { kind: 'KnativeEventing' })),
];

/** Every A, B, A of the walks, as `A B`. */
const returns = (walks: readonly Walk[]): readonly string[] =>
  walks.flatMap((walk) =>
    walk.flatMap((from, index) =>
      walk[index + 2] === from ? [`${from.name} ${walk[index + 1]?.name ?? ''}`] : [],
    ),
  );

describe('planWalks', () => {
  const all = planWalks(cases, { count: Infinity, seed: 3 });

  test('goes there and back once for every ordered pair of one kind inside the version window', () => {
    const serving = ['a', 'b', 'c', 'd', 'e', 'unready'];
    const among = (names: readonly string[]) =>
      names.flatMap((one) => names.filter((other) => other !== one).map((other) => `${one} ${other}`));
    const both = (one: string, others: readonly string[]) =>
      others.flatMap((other) => [`${one} ${other}`, `${other} ${one}`]);
    const expected = [
      ...among(serving),
      ...among(['x', 'y', 'z']),
      ...both('old', [...serving, 'oldest']),
      ...both('new', serving),
    ];
    expect([...returns(all)].toSorted()).toEqual(expected.toSorted());
  });

  test('never leaves the window of the version that was Ready last', () => {
    const minor = ({ status, spec }: RecordedCase) =>
      Number((status.version ?? String(spec['version'])).split('.')[1]);
    const jumps = all.flatMap((walk) =>
      walk.map((to, index) => {
        const from = walk.slice(0, index).findLast(({ ready }) => ready) ?? to;
        return Math.abs(minor(to) - minor(from));
      }),
    );
    expect(Math.max(...jumps)).toBe(1);
  });

  test('takes as many pairs as asked for, of both kinds, the same for the same seed and others for another', () => {
    const plan = (seed: number) => planWalks(cases, { count: 10, seed });
    expect(new Set(returns(plan(1))).size).toBe(10);
    expect(new Set(plan(1).map(([first]) => first?.kind))).toEqual(
      new Set(['KnativeServing', 'KnativeEventing']),
    );
    expect(plan(1)).toEqual(plan(1));
    expect(returns(plan(1))).not.toEqual(returns(plan(2)));
  });

  test('plans nothing where no two cases belong together', () => {
    expect(planWalks([made('a', '1.22.1'), made('b', '1.20.0')], { count: Infinity, seed: 1 })).toEqual([]);
  });
});
