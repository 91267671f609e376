import { CommandError } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export interface Confirmation {
  /** What is about to happen, as shown before the question. */
  readonly what: string;
  /** What has to be typed: a name or a count that shows that the text was read. */
  readonly typed: string;
  /** The answer as given on the command line. */
  readonly given: string | undefined;
  /** The option that gives it, for those who cannot be asked. */
  readonly option: string;
}

/** Goes on only after exactly the right words. Throws CommandError `refused` otherwise; nothing was done then. */
export async function confirm(terminal: Terminal, confirmation: Confirmation): Promise<void> {
  const { what, typed, given, option } = confirmation;
  terminal.note(`${what}\n`);
  const answer = given ?? (await terminal.ask(`Type ${typed} to go on: `));
  if (answer?.trim() === typed) return;
  const why = answer === undefined ? 'nobody can be asked here' : `"${answer.trim()}" was given`;
  throw new CommandError(
    'refused',
    `not confirmed, nothing was done: ${why}; answer ${typed}, or pass ${option} ${typed}`,
  );
}
