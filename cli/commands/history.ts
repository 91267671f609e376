import { Command } from 'commander';

import { componentSyntax } from '../component-argument.ts';
import { CommandError } from '../exit-codes.ts';
import type { HistoryEntry } from '../history/history-entries.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { formatDocument } from '../output/documents.ts';
import { formatTable } from '../output/table.ts';
import { resolveComponent } from '../resolve-components.ts';
import type { Session } from '../session.ts';

interface HistoryOptions extends WithOutput {
  readonly all?: boolean;
  readonly runs: number;
}

export function declareHistory(invocation: Invocation): Command {
  const command = new Command('history')
    .description('Show what was written where and when, who asked for what, and what failed.')
    .argument('<component>', componentSyntax)
    .option('--all', 'also steps that only looked')
    .option('--runs <count>', 'how many runs of the workflow to read, newest last', positive, 10)
    .addOption(outputOption())
    .action((component: string, options: HistoryOptions, self: Command) =>
      invocation.run(self, (session) => history(session, component, options)),
    );
  return withExamples(
    command,
    'knative-fleet history serving/platform/serving',
    'knative-fleet history serving/platform/serving --all -o json',
  );
}

async function history(session: Session, component: string, options: HistoryOptions): Promise<void> {
  const { readHistory } = await import('../history/read-history.ts');
  const ref = await resolveComponent(session, component);
  const entries = await readHistory(session, ref, options.runs);
  const shown = options.all === true ? entries : entries.filter(isWorthShowing);
  session.terminal.print(
    formatDocument(options.output, { kind: 'ComponentHistory', component, items: shown }) ??
      formatTable(columns, shown, session.terminal.columns),
  );
}

function isWorthShowing(entry: HistoryEntry): boolean {
  return entry.wrote || entry.outcome !== 'done';
}

const columns = [
  { heading: 'TIME', value: (entry: HistoryEntry) => entry.time.replace(/\.\d+Z$/, 'Z') },
  { heading: 'TARGET', value: (entry: HistoryEntry) => entry.target ?? '-' },
  { heading: 'STEP', value: (entry: HistoryEntry) => entry.step },
  { heading: 'OUTCOME', value: (entry: HistoryEntry) => entry.outcome },
  { heading: 'WHAT', value: (entry: HistoryEntry) => entry.what },
];

function positive(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new CommandError('usage', `--runs takes a whole number from 1 to 9999, not "${text}"`);
}
