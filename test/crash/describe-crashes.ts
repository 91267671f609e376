import { afterAll, describe, expect, test } from 'vitest';

import { seededRandom, shuffled } from '../conformance/seeded-random.ts';
import type { CrashPoint } from './crash-gate.ts';
import { moments } from './crash-gate.ts';
import type { CrashLaneOptions } from './crash-lane.ts';
import { startCrashLane } from './crash-lane.ts';

export interface CrashSuite extends CrashLaneOptions {
  readonly name: string;
  /** How many points, spread by the seed; absent: every one. */
  readonly sample?: { readonly count: number; readonly seed: number };
  /** This one of so many suites that share the points. */
  readonly share: readonly [number, number];
}

/** Earlier writes were seen to survive by a run that was stopped; 1 without it. */
const firstWrite = Number(process.env['KNATIVE_FLEET_CRASH_FROM'] ?? 1);

/** One test for each crash point: the worker dies there, and everything ends as if it had not. */
export async function describeCrashes(suite: CrashSuite): Promise<void> {
  const lane = await startCrashLane(suite);
  // The first cycle leaves the CustomResourceDefinitions that every later one finds.
  await lane.cycle();
  const undisturbed = await lane.cycle();
  const [mine, shares] = suite.share;
  process.stdout.write(`${suite.name}: ${String(undisturbed.writes.length)} writes\n`);
  const points = selected(suite, undisturbed.writes.length).filter((_, index) => index % shares === mine);

  describe(`a worker that dies at a write of ${suite.name}`, () => {
    afterAll(() => lane.stop());

    test('is nothing that the undisturbed cycle needs', () => {
      expect(undisturbed.installed.mistaken).toEqual([]);
      expect(undisturbed.upgraded.mistaken).toEqual([]);
      expect(undisturbed.deleted.inventory).toEqual([]);
      expect(Object.keys(undisturbed.deleted.objects).filter((key) => !isKept(key))).toEqual([]);
    });

    test.each(points)('$moment write $write leaves what an undisturbed cycle leaves', async (point) => {
      const { installed, upgraded, deleted } = await lane.cycle(point, undisturbed);
      expect({ installed, upgraded, deleted }).toEqual({
        installed: undisturbed.installed,
        upgraded: undisturbed.upgraded,
        deleted: undisturbed.deleted,
      });
    });
  });
}

function isKept(key: string): boolean {
  return /CustomResourceDefinition|theirs/.test(key);
}

function selected({ sample }: CrashSuite, writes: number): readonly CrashPoint[] {
  const all = Array.from({ length: writes }, (_, index) => index + 1).flatMap((write) =>
    moments.map((moment) => ({ write, moment })),
  );
  if (sample === undefined) return all.filter(({ write }) => write >= firstWrite);
  return shuffled(all, seededRandom(sample.seed)).slice(0, sample.count);
}
