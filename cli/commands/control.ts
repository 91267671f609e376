import { Command } from 'commander';

import { componentSyntax } from '../component-argument.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { formatDocument } from '../output/documents.ts';
import { resolveComponents } from '../resolve-components.ts';
import type { Session } from '../session.ts';
import type { CommandAnswer, ComponentCommand } from '../workflow/send-command.ts';

interface ControlOptions extends WithOutput {
  readonly reason?: string;
  readonly requestedBy?: string;
}

export function declareSync(invocation: Invocation): Command {
  const text =
    'Begin a full pass now, or the next try of a removal. Nothing is written where nothing differs.';
  return withExamples(
    declareControl(invocation, 'sync', text),
    'knative-fleet sync serving/platform/serving',
    'knative-fleet sync serving/platform/serving eventing/platform/eventing -o json',
  );
}

export function declareSuspend(invocation: Invocation): Command {
  const text = 'Hold every write to the target, removal included, until resume.';
  return withExamples(
    declareControl(invocation, 'suspend', text).option('--reason <text>', 'why; shown on the resource'),
    "knative-fleet suspend serving/platform/serving --reason 'network maintenance'",
  );
}

export function declareResume(invocation: Invocation): Command {
  const text = 'End suspend. A resource with spec.paused stays held: that is its own.';
  return withExamples(
    declareControl(invocation, 'resume', text),
    'knative-fleet resume serving/platform/serving',
  );
}

function declareControl(
  invocation: Invocation,
  name: 'sync' | 'suspend' | 'resume',
  description: string,
): Command {
  return new Command(name)
    .description(description)
    .argument('<component...>', componentSyntax)
    .option('--requested-by <who>', 'who asks; default the user of this machine')
    .addOption(outputOption())
    .action((components: string[], options: ControlOptions, self: Command) =>
      invocation.run(self, (session) => control(session, components, { ...options, name })),
    );
}

async function control(
  session: Session,
  components: readonly string[],
  options: ControlOptions & { readonly name: ComponentCommand['name'] },
): Promise<void> {
  const { requesterOf, sendCommand } = await import('../workflow/send-command.ts');
  const refs = await resolveComponents(session, components);
  const command = {
    name: options.name,
    reason: options.reason ?? '',
    requestedBy: requesterOf(options.requestedBy),
  };
  const answers: CommandAnswer[] = [];
  for (const ref of refs) answers.push(await sendCommand(session, ref, command));
  session.terminal.print(formatAnswers(options.output, answers));
}

/** The documented shape of a command's answer. */
export function formatAnswers(output: WithOutput['output'], answers: readonly CommandAnswer[]): string {
  const lines = answers.map(({ component, answer }) => `${component}: ${answer}`);
  return formatDocument(output, { kind: 'CommandAnswers', items: answers }) ?? lines.join('\n');
}
