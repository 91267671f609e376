import { afterAll, describe, expect, test } from 'vitest';

import type { CrashCycle, Selection } from './crash-cycles.ts';
import { crashCycles, describeCycle, missedPoints } from './crash-cycles.ts';
import type { CrashLane, CrashLaneOptions } from './crash-lane.ts';
import { startCrashLane } from './crash-lane.ts';
import type { Life } from './life.ts';
import { phases } from './life.ts';

export interface CrashSuite extends CrashLaneOptions, Pick<Selection, 'sample'> {
  readonly name: string;
  /** How many fleets share the lives, at once. */
  readonly lanes: number;
}

/** Earlier lives were seen to end well by a run that was stopped; 1 without it. Samples are lived whole. */
const firstLife = Number(process.env['KNATIVE_FLEET_CRASH_FROM'] ?? 1);

const cycleLimitMs = 600_000;

/**
 * One test for each life of a component whose worker dies once in each phase, at a write to its hub or its spoke: each
 * phase ends as if it had not. Together they die before, after and after the answer of every write of an undisturbed
 * life, or of a sample.
 */
export async function describeCrashes(suite: CrashSuite): Promise<void> {
  const lanes = await startLanes(suite);
  const undisturbed = await withLane(lanes, (lane) => lane.live({}));
  const all = crashCycles(undisturbed, suite).map((cycle, index) => ({
    cycle,
    name: nameOf(cycle, index + 1),
  }));
  const cycles = suite.sample === undefined ? all.slice(firstLife - 1) : all;
  const say = speaker(suite.name);
  const writes = phases.map((phase) => `${phase} ${String(undisturbed[phase].writes.length)}`);
  const points = all.reduce((sum, { cycle }) => sum + Object.keys(cycle).length, 0);
  say(`writes: ${writes.join(', ')}; ${String(points)} points in ${String(all.length)} lives`);
  const missed: NamedCycle[] = [];
  const live = async ({ cycle, name }: NamedCycle): Promise<Life> => {
    const { life, seconds } = await withLane(lanes, async (lane) => {
      const started = performance.now();
      const lived = await lane.live(cycle, undisturbed);
      return { life: lived, seconds: Math.round((performance.now() - started) / 1_000) };
    });
    const left = missedPoints(cycle, life);
    if (Object.keys(left).length > 0) missed.push({ cycle: left, name });
    say(`of ${String(all.length)} lives, ${String(seconds)} s: ${name}`);
    return life;
  };

  describe(`a worker that dies at writes of ${suite.name}`, () => {
    afterAll(async () => {
      await Promise.all(lanes.all.map((lane) => lane.stop()));
    });

    test('is nothing that the undisturbed life needs', () => {
      const { install, upgrade, deletion } = endsOf(undisturbed);
      expect(install.mistaken).toEqual([]);
      expect(upgrade.mistaken).toEqual([]);
      expect(deletion.inventory).toEqual([]);
      expect(Object.keys(deletion.objects).filter((key) => !isKept(key))).toEqual([]);
    });

    // Only a text of its own is printed whole.
    test.concurrent.for(cycles.map((cycle) => [cycle.name, cycle] as const))(
      '%s: leaves what an undisturbed life leaves',
      { timeout: cycleLimitMs },
      async ([, cycle], { expect: expectHere }) => {
        expectHere(endsOf(await live(cycle))).toEqual(endsOf(undisturbed));
      },
    );

    test('was killed at every point', { timeout: 3 * cycleLimitMs }, async () => {
      // The number of status writes depends on what is seen of workloads that roll out.
      for (let round = 0; round < 3; round += 1) {
        for (const cycle of missed.splice(0)) {
          expect(endsOf(await live(cycle))).toEqual(endsOf(undisturbed));
        }
      }
      expect(missed.map(({ cycle }) => describeCycle(cycle))).toEqual([]);
    });
  });
}

interface NamedCycle {
  readonly cycle: CrashCycle;
  readonly name: string;
}

function nameOf(cycle: CrashCycle, number: number): string {
  return `life ${String(number)}: ${describeCycle(cycle)}`;
}

function endsOf({ install, upgrade, deletion }: Life) {
  return { install: install.end, upgrade: upgrade.end, deletion: deletion.end };
}

function isKept(key: string): boolean {
  return /CustomResourceDefinition|theirs/.test(key);
}

interface Lanes {
  readonly all: readonly CrashLane[];
  readonly free: CrashLane[];
  /** First come, first served: a test that waits has a time limit. */
  readonly waiting: ((lane: CrashLane) => void)[];
}

/** The first life leaves the CustomResourceDefinitions that every later one finds. */
async function startLanes(suite: CrashSuite): Promise<Lanes> {
  const all = await Promise.all(
    Array.from({ length: suite.lanes }, async () => {
      const lane = await startCrashLane(suite);
      await lane.live({});
      return lane;
    }),
  );
  return { all, free: [...all], waiting: [] };
}

async function withLane<T>({ free, waiting }: Lanes, use: (lane: CrashLane) => Promise<T>): Promise<T> {
  const lane = free.shift() ?? (await new Promise<CrashLane>((resolve) => void waiting.push(resolve)));
  try {
    return await use(lane);
  } finally {
    const next = waiting.shift();
    if (next === undefined) free.push(lane);
    else next(lane);
  }
}

function speaker(name: string): (text: string) => void {
  let count = 0;
  return (text) => {
    process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${name} ${String(count)}: ${text}\n`);
    count += 1;
  };
}
