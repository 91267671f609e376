import type { Readable } from 'node:stream';

const maxLineBytes = 16 * 1024 * 1024;

/**
 * Reads one JSON value a line as they arrive and destroys the stream at the end. Throws when a line is not JSON or is
 * longer than 16 MiB, and when the stream breaks off, with its error. Whoever waits for the next one holds the last one
 * only, not the piece of 64 kB that it came in. Streams are listened to: the iterator of Node.js costs each of those that
 * are silent for hours some kB more.
 */
export async function* readJsonLines(body: Readable): AsyncGenerator<unknown> {
  const arrivals = listenTo(body);
  try {
    while (await arrivals.any()) yield arrivals.values.shift();
  } finally {
    body.destroy();
  }
}

interface Arrivals {
  /** Not handed out yet. */
  readonly values: unknown[];
  /** Resolves to true when there are values, to false at the end of the stream. */
  any(): Promise<boolean>;
}

function listenTo(body: Readable): Arrivals {
  const values: unknown[] = [];
  const parse = createLineParser();
  let over: { readonly failure?: unknown } | undefined;
  let wake = (): void => undefined;
  const end = (how: { readonly failure?: unknown }): void => {
    over ??= how;
    wake();
  };
  body.on('data', (chunk: Buffer | string) => {
    if (over !== undefined) return;
    try {
      values.push(...parse(chunk));
    } catch (failure) {
      end({ failure });
    }
    if (values.length === 0) return;
    body.pause();
    wake();
  });
  body.on('end', () => end({}));
  body.on('error', (failure) => end({ failure }));
  body.on('close', () => end({ failure: new Error('the stream was closed before its end') }));
  return {
    values,
    async any() {
      while (values.length === 0) {
        if (over !== undefined && 'failure' in over) throw over.failure;
        if (over !== undefined) return false;
        await new Promise<void>((resolve) => {
          wake = resolve;
          body.resume();
        });
      }
      return true;
    },
  };
}

function createLineParser(): (chunk: Buffer | string) => readonly unknown[] {
  const decoder = new TextDecoder();
  let pending = '';
  return (chunk) => {
    pending += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const whole = pending.split('\n');
    pending = whole.pop() ?? '';
    if (pending.length > maxLineBytes) throw new Error('a line of the stream is longer than 16 MiB');
    return whole.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as unknown);
  };
}
