import { Command, Option } from 'commander';

import { confirm } from '../confirm.ts';
import type { ExitCode } from '../exit-codes.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { listComponents } from '../fleet/read-fleet.ts';
import type { DrainPolicy } from '../fleet/drain-components.ts';
import { deleteWith, untilGone } from '../fleet/drain-components.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { formatDocument } from '../output/documents.ts';
import { withProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentResource } from '../../adapters/hub/components.ts';

interface DrainOptions extends WithOutput {
  readonly policy?: DrainPolicy;
  readonly confirm?: string;
  readonly timeout: number;
}

export function declareDrain(invocation: Invocation): Command {
  const command = new Command('drain')
    .description(
      'Delete every component before this software is uninstalled from the hub, and wait until all are gone: Delete ' +
        'removes Knative from the targets, Retain leaves it running there for the next owner.',
    )
    .addOption(new Option('--policy <policy>', 'what happens on the targets').choices(['Retain', 'Delete']))
    .option('--confirm <count>', 'the number of components, for scripts')
    .option('--timeout <seconds>', 'how long to wait for the last one', seconds, 1_800)
    .addOption(outputOption())
    .action((options: DrainOptions, self: Command) =>
      invocation.run(self, (session) => drain(session, options)),
    );
  return withExamples(
    command,
    'knative-fleet drain',
    'knative-fleet drain --policy Retain --confirm 12 --timeout 600',
    'knative-fleet drain -n staging --policy Delete',
  );
}

async function drain(session: Session, options: DrainOptions): Promise<ExitCode> {
  const { terminal } = session;
  const components = await listComponents(session, session.chosenNamespace);
  const report = (gone: readonly string[], left: readonly string[]): void => {
    const document = { kind: 'Drain', policy: options.policy ?? null, gone, left };
    terminal.print(
      formatDocument(options.output, document) ?? `${String(gone.length)} gone, ${String(left.length)} left`,
    );
  };
  if (components.length === 0) {
    report([], []);
    return exitCodes.done;
  }
  const policy = options.policy ?? (await askPolicy(session, components.length));
  await confirm(terminal, {
    what: question(components, policy),
    typed: String(components.length),
    given: options.confirm,
    option: '--confirm',
  });
  const hub = await session.hub();
  await deleteWith(hub, components, policy);
  const names = components.map(({ ref }) => formatComponentRef(ref));
  const left = await withProgress(terminal, `waiting for ${String(names.length)} components`, (progress) =>
    untilGone(session, names, {
      limitMs: options.timeout * 1_000,
      show: (rest) =>
        progress.show(`waiting for ${String(rest.length)} of ${String(names.length)}: ${rest[0] ?? ''}`),
    }),
  );
  report(
    names.filter((name) => !left.includes(name)),
    left,
  );
  if (left.length === 0) return exitCodes.done;
  throw new CommandError(
    'failed',
    `${left.join(', ')} remain after ${String(options.timeout)} s: they are deleted but not gone; see what they wait for ` +
      'with knative-fleet status, give up a dead target with knative-fleet cleanup --force, and run drain again',
  );
}

async function askPolicy(session: Session, count: number): Promise<DrainPolicy> {
  session.terminal.note(
    `${String(count)} components. Delete removes Knative from every target; Retain leaves it running there.\n`,
  );
  const answer = (await session.terminal.ask('Retain or Delete? '))?.trim();
  if (answer === 'Retain' || answer === 'Delete') return answer;
  throw new CommandError('refused', 'nothing was done: answer Retain or Delete, or pass --policy');
}

const maxShown = 20;

function question(components: readonly ComponentResource[], policy: DrainPolicy): string {
  const names = components.slice(0, maxShown).map(({ ref }) => `  ${formatComponentRef(ref)}`);
  const more = components.length > maxShown ? [`  and ${String(components.length - maxShown)} more`] : [];
  const effect = policy === 'Delete' ? 'removed from their targets' : 'left running, without an owner';
  return [
    `These ${String(components.length)} components are deleted, and what they installed is ${effect}:`,
    ...names,
    ...more,
  ].join('\n');
}

function seconds(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new CommandError('usage', `--timeout takes whole seconds, not "${text}"`);
}
