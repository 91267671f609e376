import { Command } from 'commander';

import type { AbandonmentRecord } from '../../adapters/hub/read-abandonments.ts';
import { componentSyntax, parseComponentArgument } from '../component-argument.ts';
import { CommandError } from '../exit-codes.ts';
import type { RetriedRemoval } from '../fleet/retry-removal.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { age } from '../output/age.ts';
import { formatDocument } from '../output/documents.ts';
import { formatTable } from '../output/table.ts';
import type { Session } from '../session.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';

export function declareAbandoned(invocation: Invocation): Command {
  return new Command('abandoned')
    .description('What stayed behind on targets when a component went without a complete removal.')
    .addCommand(declareList(invocation))
    .addCommand(declareRetry(invocation));
}

function declareList(invocation: Invocation): Command {
  const command = new Command('list')
    .description('List the records: component, target, since when, why, who asked, how many objects.')
    .addOption(outputOption('wide'))
    .action((options: WithOutput, self: Command) =>
      invocation.run(self, (session) => list(session, options)),
    );
  return withExamples(command, 'knative-fleet abandoned list', 'knative-fleet abandoned list -o wide');
}

interface RetryOptions extends WithOutput {
  readonly all?: boolean;
}

function declareRetry(invocation: Invocation): Command {
  const command = new Command('retry')
    .description(
      'Ask for what was left behind to be removed after all. The removal waits for the target, however long it is away, ' +
        'and the record says when it is done.',
    )
    .argument('[record...]', `names of records, or ${componentSyntax}`)
    .option('--all', 'every record that still lists objects')
    .addOption(outputOption())
    .action((records: string[], options: RetryOptions, self: Command) =>
      invocation.run(self, (session) => retry(session, records, options)),
    );
  return withExamples(
    command,
    'knative-fleet abandoned retry KnativeServing/platform/serving',
    'knative-fleet abandoned retry --all -o json',
  );
}

async function retry(session: Session, names: readonly string[], options: RetryOptions): Promise<void> {
  if (names.length > 0 === (options.all === true)) {
    throw new CommandError('usage', `give records, ${componentSyntax}, or --all`);
  }
  const { readAbandonments } = await import('../../adapters/hub/read-abandonments.ts');
  const { retryRemoval } = await import('../fleet/retry-removal.ts');
  const hub = await session.hub();
  const records = await readAbandonments(hub, session.operatorNamespace);
  const chosen =
    options.all === true ? records.filter(isLeft) : names.flatMap((name) => recordsNamed(records, name));
  const items: RetriedRemoval[] = [];
  for (const record of chosen) items.push(await retryRemoval(hub, session.operatorNamespace, record));
  const lines = items.map(
    ({ component, target }) => `${component}: what stayed on ${target} is removed as soon as that answers`,
  );
  session.terminal.print(
    formatDocument(options.output, { kind: 'RetriedRemovals', items }) ??
      (lines.length === 0 ? 'Nothing was left behind.' : lines.join('\n')),
  );
}

function isLeft(record: AbandonmentRecord): boolean {
  return record.cleanedAt === null;
}

/** By the name of the record, or all of a component that still list something. */
function recordsNamed(records: readonly AbandonmentRecord[], name: string): readonly AbandonmentRecord[] {
  const byName = records.filter((record) => record.name === name);
  if (byName.length > 0) return byName;
  const ref = name.includes('/') ? parseComponentArgument(name, () => '') : undefined;
  const component = ref === undefined ? name : formatComponentRef(ref);
  const found = records.filter((record) => record.component === component && isLeft(record));
  if (found.length > 0) return found;
  throw new CommandError(
    'missing',
    `nothing is recorded for ${component}; list what is with: knative-fleet abandoned list`,
  );
}

async function list(session: Session, { output }: WithOutput): Promise<void> {
  const { readAbandonments } = await import('../../adapters/hub/read-abandonments.ts');
  const records = await readAbandonments(await session.hub(), session.operatorNamespace);
  session.terminal.print(
    formatDocument(output, { kind: 'AbandonmentRecords', items: records }) ??
      textOf(records, output === 'wide', session.terminal.columns),
  );
}

function textOf(records: readonly AbandonmentRecord[], wide: boolean, width: number | undefined): string {
  if (records.length === 0) return 'Nothing was left behind.';
  const now = Date.now();
  const columns = [
    { heading: 'COMPONENT', value: (record: AbandonmentRecord) => record.component },
    { heading: 'TARGET', value: (record: AbandonmentRecord) => record.clusterProfile || '-' },
    { heading: 'SINCE', value: (record: AbandonmentRecord) => age(record.since, now) },
    { heading: 'OBJECTS', value: (record: AbandonmentRecord) => String(record.remaining.length) },
    { heading: 'REMOVED', value: (record: AbandonmentRecord) => age(record.cleanedAt, now) || '-' },
    { heading: 'BY', value: (record: AbandonmentRecord) => record.requestedBy },
    { heading: 'WHY', value: (record: AbandonmentRecord) => record.why },
  ];
  const more = [
    { heading: 'RECORD', value: (record: AbandonmentRecord) => record.name },
    { heading: 'REMAINING', value: (record: AbandonmentRecord) => record.remaining.join(', ') },
  ];
  return formatTable(wide ? [...columns, ...more] : columns, records, width);
}
