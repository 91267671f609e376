import type { Difference } from './compare.ts';
import type { DeliberateDifference } from './deliberate-differences.ts';
import type { RecordedCase } from './recordings.ts';

/** What became of one case. */
export interface Verdict {
  /** Differences that nothing explains. */
  readonly unexplained: readonly Difference[];
  readonly explained: readonly DeliberateDifference[];
  /** Deliberate differences that the case should show and does not. */
  readonly stale: readonly DeliberateDifference[];
}

/** Whether there is nothing to complain about. */
export function holds({ unexplained, stale }: Verdict): boolean {
  return unexplained.length + stale.length === 0;
}

/** Sorts the differences of a case into deliberate ones and others. */
export function judge(
  recorded: Pick<RecordedCase, 'name'>,
  differences: readonly Difference[],
  deliberate: readonly DeliberateDifference[],
): Verdict {
  const expected = deliberate.filter((entry) => entry.cases.includes(recorded.name));
  const explained = expected.filter((entry) => differences.some((difference) => covers(entry, difference)));
  return {
    unexplained: differences.filter((difference) => !expected.some((entry) => covers(entry, difference))),
    explained,
    stale: expected.filter((entry) => !explained.includes(entry)),
  };
}

/** A path of a deliberate difference leaves list indexes out and covers everything below it. */
function covers(entry: DeliberateDifference, difference: Difference): boolean {
  if (entry.object !== difference.object) return false;
  const path = difference.path.replace(/\[\d+\]/g, '[]');
  return path === entry.path || path.startsWith(`${entry.path}.`) || path.startsWith(`${entry.path}[`);
}
