import { seededRandom, shuffled } from '../conformance/seeded-random.ts';
import type { CrashPoint } from './crash-gate.ts';
import { moments } from './crash-gate.ts';
import type { Life, Phase } from './life.ts';
import { phases } from './life.ts';

export interface NumberedPoint extends CrashPoint {
  /** Of the write, from 1 by phase and name, so that another run gives it the same one. */
  readonly number: number;
}

/** One life with its crashes. */
export type CrashCycle = Partial<Readonly<Record<Phase, NumberedPoint>>>;

export interface Selection {
  /** How many points, equally many of each phase, spread by the seed; absent: every one. */
  readonly sample?: { readonly count: number; readonly seed: number };
}

/** As few lives as have a place for each selected point: one in each phase, whose end shows what it did. */
export function crashCycles(undisturbed: Life, selection: Selection): readonly CrashCycle[] {
  let number = 0;
  const queues = phases.map((phase, index) => {
    const points = undisturbed[phase].writes.toSorted().flatMap((write) => {
      number += 1;
      return moments.map((moment): NumberedPoint => ({ number, write, moment }));
    });
    return { phase, points: selected(points, selection, index) };
  });
  const count = Math.max(...queues.map(({ points }) => points.length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(
      queues.flatMap(({ phase, points }) => {
        const point = points[index];
        return point === undefined ? [] : [[phase, point]];
      }),
    ),
  );
}

function selected(
  points: readonly NumberedPoint[],
  { sample }: Selection,
  phase: number,
): readonly NumberedPoint[] {
  if (sample === undefined) return points;
  return shuffled(points, seededRandom(sample.seed + phase)).slice(
    0,
    Math.ceil(sample.count / phases.length),
  );
}

/** Such as `install, before 17 PATCH spoke /api/v1/namespaces/x; upgrade, after 60 ...`. */
export function describeCycle(cycle: CrashCycle): string {
  return phases
    .flatMap((phase) => {
      const point = cycle[phase];
      return point === undefined ? [] : [`${phase}, ${point.moment} ${String(point.number)} ${point.write}`];
    })
    .join('; ');
}

/** Those points of a cycle whose write did not come. */
export function missedPoints(cycle: CrashCycle, life: Life): CrashCycle {
  return Object.fromEntries(
    phases.flatMap((phase) =>
      cycle[phase] === undefined || life[phase].struck ? [] : [[phase, cycle[phase]]],
    ),
  );
}
