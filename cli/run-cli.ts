import type { Command } from 'commander';
import { CommanderError } from 'commander';

import { redact } from '../adapters/access/redaction.ts';
import { messageOf } from '../domain/errors.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { createInvocation } from './invocation.ts';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line to its end and resolves with the exit code; never rejects. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const invocation = createInvocation(terminal);
  const program = createProgram(invocation);
  for (const command of allCommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.note(text),
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return invocation.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    terminal.note(`${explain(error, program.opts()['debug'] === true)}\n`);
    return exitCodeOf(error);
  }
}

/** One line, or the whole stack on demand; whatever looks like a credential is left out of both. */
function explain(error: unknown, debug: boolean): string {
  const text = debug && error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  const line = debug ? text : text.replaceAll(/\s*\n\s*/g, ' ');
  return `error: ${redact(line)}`;
}

function allCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
