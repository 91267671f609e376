import { createInterface } from 'node:readline/promises';

/** Everything through which a command meets its user: one place, so that tests can be the user. */
export interface Terminal {
  /** Standard output: results only. */
  print(text: string): void;
  /** Standard error: progress, warnings, questions, errors. */
  note(text: string): void;
  /** Width of standard output; undefined when it is no terminal and nothing may be cut. */
  readonly columns: number | undefined;
  /** Whether standard error is a terminal that can redraw a line. */
  readonly redraws: boolean;
  /** Reads one line after a question; undefined when nobody can answer. */
  ask(question: string): Promise<string | undefined>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user interrupts. */
  readonly interrupted: AbortSignal;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  const interrupt = new AbortController();
  process.once('SIGINT', () => {
    interrupt.abort(new Error('interrupted'));
    // A second one ends the process at once.
    setTimeout(() => process.exit(130), 3_000).unref();
  });
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read the output has enough, as `head` has.
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
  return {
    print: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(text),
    columns: stdout.isTTY ? stdout.columns : undefined,
    redraws: stderr.isTTY,
    async ask(question) {
      if (!stdin.isTTY) return undefined;
      const line = createInterface({ input: stdin, output: stderr });
      try {
        return await line.question(question, { signal: interrupt.signal });
      } finally {
        line.close();
      }
    },
    environment: process.env,
    interrupted: interrupt.signal,
  };
}
