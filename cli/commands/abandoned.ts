import { Command } from 'commander';

import type { AbandonmentRecord } from '../../adapters/hub/read-abandonments.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { age } from '../output/age.ts';
import { formatDocument } from '../output/documents.ts';
import { formatTable } from '../output/table.ts';
import type { Session } from '../session.ts';

export function declareAbandoned(invocation: Invocation): Command {
  return new Command('abandoned')
    .description('What stayed behind on targets when a component went without a complete removal.')
    .addCommand(declareList(invocation));
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
    { heading: 'BY', value: (record: AbandonmentRecord) => record.requestedBy },
    { heading: 'WHY', value: (record: AbandonmentRecord) => record.why },
  ];
  const more = [
    { heading: 'RECORD', value: (record: AbandonmentRecord) => record.name },
    { heading: 'REMAINING', value: (record: AbandonmentRecord) => record.remaining.join(', ') },
  ];
  return formatTable(wide ? [...columns, ...more] : columns, records, width);
}
