import { Command } from 'commander';

import { declareConnectionOptions } from './connection-options.ts';
import { exitCodeMeanings, exitCodes } from './exit-codes.ts';
import { commandDeclarations } from './commands/declarations.ts';
import type { Invocation } from './invocation.ts';
import { examplesOf } from './invocation.ts';
import { packageVersion } from './version.ts';

/** Every command with its options and examples; nothing is opened before a command runs. */
export function createProgram(invocation: Invocation): Command {
  const program = declareConnectionOptions(
    new Command('knative-fleet')
      .description('Looks after Knative on a fleet of clusters: what is where, what happens, and what to do.')
      .version(packageVersion(), '-V, --version', 'print the version')
      .helpCommand('help [command]', 'show the help of a command')
      .helpOption('-h, --help', 'show this help')
      .showSuggestionAfterError()
      .configureHelp({ showGlobalOptions: false }),
  );
  for (const declare of commandDeclarations) program.addCommand(declare(invocation));
  program.addHelpText('after', () => `\nExit codes:\n${exitCodeLines().join('\n')}`);
  program.addHelpText('after', () => `\nExamples:\n${firstExamples(program).join('\n')}`);
  return program;
}

function exitCodeLines(): readonly string[] {
  return Object.entries(exitCodes).map(
    ([name, code]) => `  ${String(code)}  ${exitCodeMeanings[name as keyof typeof exitCodes]}`,
  );
}

function firstExamples(program: Command): readonly string[] {
  return program.commands.flatMap((command) => examplesOf(command).slice(0, 1)).map((line) => `  ${line}`);
}
