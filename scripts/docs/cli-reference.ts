import type { Command, Option } from 'commander';

import { exitCodeMeanings, exitCodes } from '../../cli/exit-codes.ts';
import { createInvocation, examplesOf } from '../../cli/invocation.ts';
import { createProgram } from '../../cli/program.ts';
import type { GeneratedFile } from '../generated-file.ts';

/** The reference of the command line, from the same declarations as its help. */
export function cliReference(): readonly GeneratedFile[] {
  const program = createProgram(createInvocation(silent));
  const sections = [
    '# Command line reference',
    'Generated from the declarations under `cli/`; run `npm run generate` after a change. How to use it: [cli.md](cli.md).',
    '## Options of every command',
    program.options.map(optionLine).join('\n'),
    '## Exit codes',
    exitCodeList(),
    ...commandsOf(program, []).flatMap(sectionOf),
  ];
  return [{ path: 'docs/cli-reference.md', text: `${sections.join('\n\n')}\n` }];
}

const silent = {
  print: () => undefined,
  note: () => undefined,
  columns: undefined,
  redraws: false,
  ask: () => Promise.resolve(undefined),
  environment: {},
  interrupted: new AbortController().signal,
};

interface NamedCommand {
  readonly path: string;
  readonly command: Command;
}

/** Those that do something; the groups above them only hold them together. */
function commandsOf(command: Command, path: readonly string[]): readonly NamedCommand[] {
  return command.commands.flatMap((child) => {
    const childPath = [...path, child.name()];
    if (child.commands.length > 0) return commandsOf(child, childPath);
    return [{ path: childPath.join(' '), command: child }];
  });
}

function sectionOf({ path, command }: NamedCommand): readonly string[] {
  const usage = `knative-fleet ${path} ${command.usage().replace(/^\[options\] ?/, '')}`.trim();
  const named = command.registeredArguments.map(
    (argument) => `- \`${argument.name()}\`: ${argument.description}${choices(argument.argChoices)}`,
  );
  const list = [...named, ...command.options.map(optionLine)];
  return [
    `## \`${usage}\``,
    command.description(),
    ...(list.length === 0 ? [] : [list.join('\n')]),
    `\`\`\`sh\n${examplesOf(command).join('\n')}\n\`\`\``,
  ];
}

function optionLine(option: Option): string {
  return `- \`${option.flags}\`: ${option.description}${choices(option.argChoices)}`;
}

function choices(values: readonly string[] | undefined): string {
  return values === undefined ? '' : `; one of ${values.map((value) => `\`${value}\``).join(', ')}`;
}

function exitCodeList(): string {
  return Object.entries(exitCodes)
    .map(([name, code]) => `- \`${String(code)}\`: ${exitCodeMeanings[name as keyof typeof exitCodes]}`)
    .join('\n');
}
