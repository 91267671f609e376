import { eventReasons } from '../../domain/status/events.ts';
import { failureReasons } from '../../domain/status/reasons.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { code, page, table } from './markdown.ts';

export function eventsPage(): GeneratedFile {
  const rows = Object.entries(eventReasons).map(([reason, { type, meaning, advice }]) => [
    code(reason),
    type,
    meaning,
    advice,
  ]);
  const shown = Object.values(failureReasons).flatMap(({ condition, reason }) =>
    condition === 'none' ? [] : [reason],
  );
  const failures = [...new Set(shown)].map(code).join(', ');
  const parts = [
    'Kubernetes events on the resources, best effort. Equal events of one resource are one object whose count and last time move.',
    table(['reason', 'type', 'when', 'what to do'], rows),
    '## Failures',
    `A failure that changes a condition is also a Warning with the reason and message of that condition: ${failures}. What they mean: [conditions and reasons](reasons.md).`,
  ];
  return { path: 'docs/reference/events.md', text: page('Events', 'domain/status/events.ts', parts) };
}
