import type { Difference } from './compare.ts';
import type { Verdict } from './judge.ts';
import { holds } from './judge.ts';
import type { Walk } from './plan-walks.ts';
import type { RecordedCase } from './recordings.ts';

const maxDifferences = 20;
const maxValue = 160;

/** A line for a case that holds, else its differences in words, at most 20. */
export function describeVerdict(recorded: RecordedCase, verdict: Verdict, seconds: string): string {
  const { unexplained, explained } = verdict;
  const held = holds(verdict);
  const summary = held
    ? `${plural(recorded.objects.length, 'object')} equal` +
      (explained.length > 0 ? `, ${plural(explained.length, 'deliberate difference')}` : '')
    : plural(unexplained.length, 'difference');
  return [`${held ? 'ok  ' : 'FAIL'} ${recorded.name} (${seconds} s): ${summary}`, ...linesOf(verdict)].join(
    '\n',
  );
}

/** What a step of a walk left that the case alone does not leave. */
export function describeStep(walk: Walk, index: number, { verdict }: { readonly verdict: Verdict }): string {
  const [from, to] = [walk[index - 1]?.name ?? 'nothing', walk[index]?.name ?? ''];
  const summary = plural(verdict.unexplained.length, 'difference');
  return [`diff ${from} > ${to}: ${summary} from ${to} alone`, ...linesOf(verdict)].join('\n');
}

/** At most 20 differences. */
function linesOf({ unexplained, stale }: Verdict): readonly string[] {
  const lines = [
    ...unexplained.slice(0, maxDifferences).flatMap(describeDifference),
    ...(unexplained.length > maxDifferences
      ? [`and ${String(unexplained.length - maxDifferences)} more`]
      : []),
    ...stale.map(({ object, path }) => `deliberate difference no longer shows: ${object} ${path}`),
  ];
  return lines.map((line) => `       ${line}`);
}

function describeDifference({ object, path, ours, recorded }: Difference): readonly string[] {
  return [`${object} ${path}`, `   recorded: ${show(recorded)}`, `   ours:     ${show(ours)}`];
}

function show(value: unknown): string {
  const text = value === undefined ? '(absent)' : JSON.stringify(value);
  return text.length > maxValue ? `${text.slice(0, maxValue)}… (${String(text.length)} characters)` : text;
}

function plural(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? '' : 's'}`;
}
