import { messageOf } from '../../domain/errors.ts';
import type { Installer } from './installer.ts';
import { holds } from './judge.ts';
import { inLanes } from './lanes.ts';
import type { RecordedCase, Recordings } from './recordings.ts';
import { describeVerdict } from './report.ts';
import { runCase } from './run-case.ts';

export interface ConformanceWork {
  readonly installer: Installer;
  readonly recordings: Recordings;
  readonly concurrency: number;
}

export interface Tally {
  readonly passed: number;
  /** Names of what failed. */
  readonly failed: readonly string[];
}

/** Installs each case on a cluster of its own and prints what came of it. */
export async function runCases(work: ConformanceWork, wanted: readonly RecordedCase[]): Promise<Tally> {
  console.log(`${String(wanted.length)} cases`);
  const failed: string[] = [];
  await inLanes(wanted, work.concurrency, async (recorded) => {
    if (!(await runOne(work, recorded))) failed.push(recorded.name);
  });
  return { passed: wanted.length - failed.length, failed };
}

async function runOne({ installer, recordings }: ConformanceWork, recorded: RecordedCase): Promise<boolean> {
  const startedAt = performance.now();
  const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(1);
  try {
    const verdict = await runCase(installer, recordings, recorded);
    console.log(describeVerdict(recorded, verdict, seconds()));
    return holds(verdict);
  } catch (error) {
    console.log(`FAIL ${recorded.name} (${seconds()} s): ${messageOf(error)}`);
    return false;
  }
}
