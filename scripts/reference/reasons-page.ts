import { failureReasons, progressReasons } from '../../domain/status/reasons.ts';
import type { ReasonDeclaration, RetryClass } from '../../domain/status/reasons.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { code, page, table } from './markdown.ts';

const retryTexts: Readonly<Record<RetryClass, string>> = {
  retry: 'tried again by itself, at first within seconds, later with up to 5 minutes in between',
  wait: 'not tried again until the resource changes or a person asks for it',
  restart: 'the pass begins again at once',
  bug: 'tried again slowly, and logged as a defect',
};

const conditions = ['TargetClusterResolved', 'VersionMigrationEligible', 'InstallSucceeded'] as const;

/** Reasons of the Go operator that this software has no use for. */
const neverProduced = ['ClusterProviderClosed', 'AccessProviderNotConfigured'];

/** Troubleshooting by what a resource shows. */
export function reasonsPage(): GeneratedFile {
  const parts = [
    'While a condition below is False, `Ready` is False with the same reason and message. The message names the object, the cause and what to do.',
    ...conditions.map(section),
    progressSection(),
    internalSection(),
    `## Never produced\n\n${neverProduced.map(code).join(' and ')} of the Go operator are not used: access to spokes is opened for each call, so it is never closed under a resource, and a missing provider file shows ${code('MulticlusterDisabled')}.`,
  ];
  return {
    path: 'docs/reference/reasons.md',
    text: page('Conditions and reasons', 'domain/status/reasons.ts', parts),
  };
}

function section(condition: (typeof conditions)[number]): string {
  const entries = Object.entries(failureReasons).filter(([, entry]) => entry.condition === condition);
  return [`## ${code(condition)}`, ...entries.map(([kind, entry]) => reason(kind, entry))].join('\n\n');
}

function reason(kind: string, entry: ReasonDeclaration): string {
  const title = entry.reason === kind ? code(kind) : `${code(entry.reason)}: ${kind}`;
  return [
    `### ${title}`,
    entry.meaning,
    `What to do: ${entry.advice}`,
    `After it: ${retryTexts[entry.retry]}.`,
  ].join('\n\n');
}

function progressSection(): string {
  const rows = Object.entries(progressReasons).map(([name, { condition, meaning, advice }]) => [
    code(condition),
    code(name),
    meaning,
    advice,
  ]);
  return `## Progress\n\n${table(['condition', 'reason', 'meaning', 'what to do'], rows)}`;
}

function internalSection(): string {
  const rows = Object.entries(failureReasons)
    .filter(([, { condition }]) => condition === 'none')
    .map(([kind, { meaning, advice, retry }]) => [code(kind), meaning, advice, retryTexts[retry]]);
  return (
    '## Without a condition\n\nThese end or repeat a pass without a trace in status; they are seen in the Temporal UI and in ' +
    `logs.\n\n${table(['kind', 'meaning', 'what to do', 'after it'], rows)}`
  );
}
