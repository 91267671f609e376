import { messageOf } from '../../domain/errors.ts';
import { holds } from './judge.ts';
import { inLanes } from './lanes.ts';
import type { Walk, WalkPlan } from './plan-walks.ts';
import { planWalks } from './plan-walks.ts';
import type { RecordedCase } from './recordings.ts';
import { describeStep } from './report.ts';
import type { ConformanceWork, Tally } from './run-cases.ts';
import { runWalk } from './run-walk.ts';
import type { StepResult } from './run-walk.ts';

/** A then B must leave what B alone leaves, and A, B, A what A leaves. */
interface Pair {
  readonly name: string;
  /** Index of the step to B; the one after it leads back. */
  readonly at: number;
}

/** Changes installed resources from case to case and prints what came of each ordered pair. */
export async function runPairs(
  work: ConformanceWork,
  wanted: readonly RecordedCase[],
  plan: WalkPlan,
): Promise<Tally> {
  const walks = planWalks(wanted, plan).map((walk, index) => ({ walk, name: `walk-${String(index + 1)}` }));
  const total = walks.reduce((sum, { walk }) => sum + pairsOf(walk).length, 0);
  const steps = walks.reduce((sum, { walk }) => sum + walk.length, 0);
  console.log(
    `${String(total)} pairs in ${String(walks.length)} walks of ${String(steps)} steps, seed ${String(plan.seed)}`,
  );
  const failed: string[] = [];
  await inLanes(walks, work.concurrency, async ({ walk, name }) => {
    failed.push(...(await reportWalk(work, walk, name)));
  });
  return { passed: total - failed.length, failed };
}

function pairsOf(walk: Walk): readonly Pair[] {
  return walk.flatMap((from, index) => {
    const [to, back] = [walk[index + 1], walk[index + 2]];
    return to !== undefined && back === from ? [{ name: `${from.name} > ${to.name}`, at: index + 1 }] : [];
  });
}

/** Returns the names of the pairs that failed; those that were not reached when a resource got stuck are among them. */
async function reportWalk(work: ConformanceWork, walk: Walk, name: string): Promise<readonly string[]> {
  const pairs = pairsOf(walk);
  const results: StepResult[] = [];
  const failed: string[] = [];
  const steps = runWalk(work.installer, work.recordings, walk, name);
  try {
    for await (const result of steps) {
      results.push(result);
      const recorded = walk[results.length - 1];
      if (recorded !== undefined && !holds(result.verdict))
        console.log(describeStep(walk, results.length - 1, result));
      const pair = pairs.find(({ at }) => at + 2 === results.length);
      if (pair !== undefined && !report(pair, results.slice(pair.at))) failed.push(pair.name);
    }
    return failed;
  } catch (error) {
    const unreached = pairs.filter(({ at }) => at + 2 > results.length).map((pair) => pair.name);
    console.log(`FAIL ${name}, at ${walk[results.length]?.name ?? 'its end'}: ${messageOf(error)}`);
    return [...failed, ...unreached];
  }
}

function report({ name }: Pair, results: readonly StepResult[]): boolean {
  const held = results.every(({ verdict }) => holds(verdict));
  const seconds = results.map((result) => result.seconds.toFixed(1)).join(' and ');
  console.log(`${held ? 'ok  ' : 'FAIL'} ${name}, and back (${seconds} s)`);
  return held;
}
