import { setTimeout as sleep } from 'node:timers/promises';

import { Command } from 'commander';

import { componentSyntax } from '../component-argument.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { ComponentRow } from '../fleet/component-row.ts';
import type { CleanupRow } from '../fleet/pending-cleanups.ts';
import type { Fleet } from '../fleet/read-fleet.ts';
import { readFleet } from '../fleet/read-fleet.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { age } from '../output/age.ts';
import type { OutputFormat } from '../output/documents.ts';
import { formatDocument, formatYaml } from '../output/documents.ts';
import { withProgress } from '../output/progress.ts';
import type { Column } from '../output/table.ts';
import { formatTable } from '../output/table.ts';
import { resolveComponents } from '../resolve-components.ts';
import type { Session } from '../session.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';

interface StatusOptions extends WithOutput {
  readonly watch?: boolean;
}

const watchIntervalMs = 2_000;

export function declareStatus(invocation: Invocation): Command {
  const command = new Command('status')
    .description(
      'Show every component: target, version wanted and installed, state, since when, what it waits for; and removals that go on without their resource.',
    )
    .argument('[component...]', `only these, each ${componentSyntax}`)
    .option('-w, --watch', 'show what changes until you stop it')
    .addOption(outputOption('wide'))
    .action((components: string[], options: StatusOptions, self: Command) =>
      invocation.run(self, (session) => status(session, components, options)),
    );
  return withExamples(
    command,
    'knative-fleet status',
    'knative-fleet status -w -o wide',
    'knative-fleet status serving/platform/serving -o json',
  );
}

async function status(session: Session, components: readonly string[], options: StatusOptions) {
  const wanted = await resolveComponents(session, components);
  if (options.watch === true) return watch(session, wanted, options.output);
  const fleet = await withProgress(session.terminal, 'reading the hub and Temporal', () =>
    readFleet(session, wanted),
  );
  requireFound(fleet, wanted);
  session.terminal.print(formatFleet(session, fleet, options.output));
  return exitCodes.done;
}

function requireFound({ rows, cleanups }: Fleet, wanted: readonly ComponentRef[]): void {
  const found = new Set([...rows, ...(cleanups ?? [])].map(({ component }) => component));
  const name = wanted.map(formatComponentRef).find((wantedName) => !found.has(wantedName));
  if (name === undefined) return;
  throw new CommandError('missing', `${name} does not exist on the hub; list what does without a name`);
}

/** Redraws a terminal; elsewhere prints the rows that changed, as JSON or YAML one document each. */
async function watch(session: Session, wanted: readonly ComponentRef[], format: OutputFormat) {
  const { terminal } = session;
  const redraw = terminal.columns !== undefined && (format === 'text' || format === 'wide');
  const shown = new Map<string, string>();
  while (!terminal.interrupted.aborted) {
    const fleet = await readFleet(session, wanted);
    if (redraw) terminal.print(`\u001b[H\u001b[2J${formatFleet(session, fleet, format)}`);
    else printChanges(session, fleet.rows, { shown, format });
    await sleep(watchIntervalMs, undefined, { signal: terminal.interrupted }).catch(() => undefined);
  }
  return exitCodes.done;
}

function printChanges(
  session: Session,
  rows: readonly ComponentRow[],
  { shown, format }: { shown: Map<string, string>; format: OutputFormat },
): void {
  const changed = rows.filter((row) => shown.get(row.component) !== JSON.stringify(row));
  const gone = [...shown.keys()].filter((name) => !rows.some((row) => row.component === name));
  for (const row of changed) shown.set(row.component, JSON.stringify(row));
  for (const name of gone) shown.delete(name);
  if (format === 'json') {
    for (const row of changed) session.terminal.print(JSON.stringify(row));
    for (const component of gone) session.terminal.print(JSON.stringify({ component, state: 'Gone' }));
    return;
  }
  if (format === 'yaml') {
    for (const row of changed) {
      session.terminal.print(`---\n${formatYaml(row)}`);
    }
    return;
  }
  if (changed.length > 0) session.terminal.print(formatRows(session, changed, format));
  for (const name of gone) session.terminal.print(`${name} is gone`);
}

function formatFleet(session: Session, { rows, cleanups }: Fleet, format: OutputFormat): string {
  const document = formatDocument(format, { kind: 'FleetStatus', items: rows, cleanups });
  if (document !== undefined) return document;
  const table = rows.length === 0 ? 'No components on this hub.' : formatRows(session, rows, format);
  if (cleanups === null || cleanups.length === 0) return table;
  const removals = formatTable(cleanupColumns(Date.now()), cleanups, session.terminal.columns);
  return `${table}\n\nRemovals that go on without their resource:\n\n${removals}`;
}

function formatRows(session: Session, rows: readonly ComponentRow[], format: OutputFormat): string {
  const now = Date.now();
  return formatTable(format === 'wide' ? wideColumns(now) : columns(now), rows, session.terminal.columns);
}

/** The last column is the one that a narrow terminal cuts. */
export function columns(now: number): readonly Column<ComponentRow>[] {
  return [
    { heading: 'COMPONENT', value: (row) => row.component },
    { heading: 'TARGET', value: (row) => row.target },
    { heading: 'WANTED', value: (row) => row.wanted },
    { heading: 'INSTALLED', value: (row) => row.installed ?? '-' },
    { heading: 'STATE', value: (row) => row.state },
    { heading: 'SINCE', value: (row) => age(row.since, now) || '-' },
    { heading: 'WAITING FOR', value: (row) => row.waitingFor ?? '-' },
  ];
}

function wideColumns(now: number): readonly Column<ComponentRow>[] {
  const narrow = columns(now);
  return [
    ...narrow.slice(0, -1),
    { heading: 'REASON', value: (row) => row.reason ?? '-' },
    { heading: 'NAMESPACE', value: (row) => row.installNamespace ?? '-' },
    { heading: 'SERVER', value: (row) => row.server ?? '-' },
    { heading: 'CLUSTER UID', value: (row) => row.clusterUID ?? '-' },
    ...narrow.slice(-1),
  ];
}

function cleanupColumns(now: number): readonly Column<CleanupRow>[] {
  return [
    { heading: 'COMPONENT', value: (row) => row.component },
    { heading: 'TARGET', value: (row) => row.target ?? '-' },
    { heading: 'STATE', value: (row) => row.state },
    { heading: 'SINCE', value: (row) => age(row.since, now) || '-' },
    { heading: 'REASON', value: (row) => row.reason ?? '-' },
    { heading: 'WORKFLOW', value: (row) => row.workflow },
  ];
}
