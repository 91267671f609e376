import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ChaosLane } from './chaos-lane.ts';
import { startChaosLane } from './chaos-lane.ts';
import { invariants } from './invariants.ts';
import { randomSchedule } from './random-schedule.ts';
import { writesSince } from './record-run.ts';
import { snapshot } from './snapshot.ts';

/** Longer than two comparisons of what is on a spoke, which come every 10 s. */
const quietMs = 22_000;

/** One test for each seed: whatever happens, everything ends as if it had not, and is left alone then. */
export function describeSchedules(seeds: readonly number[], length: number): void {
  describe('a random schedule of edits, deletions, drift, pauses, crashes, faults, disturbed watches and false messages', () => {
    let lane: ChaosLane;

    beforeAll(async () => {
      lane = await startChaosLane();
    });

    afterAll(async () => {
      await lane?.stop();
    });

    const objects = () =>
      Promise.all(lane.components.map(({ spoke, component }) => snapshot(spoke.client, component)));

    test.each(seeds)(
      '%i converges, is quiet then, and breaks no invariant',
      async (seed) => {
        await lane.run(randomSchedule(seed, length, lane.components.length));
        await lane.settle();
        // What the last pass and controllers have under way may end.
        await sleep(3_000);
        const since = Date.now();
        await sleep(quietMs);
        const writes = await Promise.all(lane.components.map(({ spoke }) => writesSince(spoke, since)));
        expect(writes.flat().map(({ verb, resource, name }) => `${verb} ${resource} ${name}`)).toEqual([]);
        const converged = await objects();
        expect(converged.flatMap(({ mistaken }) => mistaken)).toEqual([]);

        await lane.removeAll();
        await lane.settle();
        const fresh = await objects();
        expect(withoutRevision(converged)).toEqual(withoutRevision(fresh));

        expect(lane.disturbedEvents()).toBeGreaterThan(0);
        const recording = await lane.record();
        expect(recording.endings.length).toBeGreaterThan(0);
        expect(recording.activities.length).toBeGreaterThan(0);
        const broken = Object.entries(invariants).flatMap(([name, check]) =>
          check(recording).map((what) => `${name}: ${what}`),
        );
        expect(broken).toEqual([]);
      },
      600_000,
    );
  });
}

/** Every edit has a revision of its own. */
function withoutRevision(snapshots: readonly object[]): unknown {
  return JSON.parse(JSON.stringify(snapshots).replaceAll(/revision-\d+/g, 'revision'));
}
