import { Option } from 'commander';
import type { Command } from 'commander';

import type { SessionOptions } from './connection-options.ts';
import type { ExitCode } from './exit-codes.ts';
import { exitCodes } from './exit-codes.ts';
import type { OutputFormat } from './output/documents.ts';
import type { Session } from './session.ts';
import { createSession } from './session.ts';
import type { Terminal } from './terminal.ts';

/** One run of the program: declarations hand their bodies to it. */
export interface Invocation {
  readonly terminal: Terminal;
  exitCode: ExitCode;
  /** Runs a body with a session made from the options of a command, and closes it whatever happens. */
  run(command: Command, body: (session: Session) => Promise<ExitCode | void>): Promise<void>;
}

export function createInvocation(terminal: Terminal): Invocation {
  const invocation: Invocation = {
    terminal,
    exitCode: exitCodes.done,
    async run(command, body) {
      const session = createSession(command.optsWithGlobals<SessionOptions>(), terminal);
      try {
        invocation.exitCode = (await body(session)) ?? exitCodes.done;
      } finally {
        await session.close();
      }
    },
  };
  return invocation;
}

const examples = new WeakMap<Command, readonly string[]>();

/** Shows examples at the end of a command's help and in the reference. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  examples.set(command, lines);
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

export function examplesOf(command: Command): readonly string[] {
  return examples.get(command) ?? [];
}

/** `-o`: text for people is the default. */
export function outputOption(...more: readonly ['wide'] | readonly []): Option {
  return new Option('-o, --output <format>', 'how to print the result')
    .choices(['text', ...more, 'json', 'yaml'])
    .default('text');
}

export interface WithOutput {
  readonly output: OutputFormat;
}
