import type { Difference } from './compare.ts';
import type { Verdict } from './judge.ts';
import type { RecordedCase } from './recordings.ts';

const maxLines = 60;
const maxValue = 160;

/** A line for a case that holds, else its differences in words, at most 60. */
export function describeVerdict(recorded: RecordedCase, verdict: Verdict, seconds: string): string {
  const { unexplained, explained, stale } = verdict;
  const failed = unexplained.length + stale.length;
  const summary =
    failed > 0
      ? plural(unexplained.length, 'difference')
      : `${plural(recorded.objects.length, 'object')} equal` +
        (explained.length > 0 ? `, ${plural(explained.length, 'deliberate difference')}` : '');
  const lines = [
    ...unexplained.slice(0, maxLines).flatMap(describeDifference),
    ...(unexplained.length > maxLines ? [`and ${String(unexplained.length - maxLines)} more`] : []),
    ...stale.map(({ object, path }) => `deliberate difference no longer shows: ${object} ${path}`),
  ];
  return [
    `${failed > 0 ? 'FAIL' : 'ok  '} ${recorded.name} (${seconds} s): ${summary}`,
    ...lines.map((line) => `       ${line}`),
  ].join('\n');
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
