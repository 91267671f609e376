import { pipeline, Readable, Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';

const maxLineBytes = 16 * 1024 * 1024;

/** In a box, since a stream takes null for its end. */
interface Line {
  readonly value: unknown;
}

/**
 * Reads one JSON value a line as they arrive. Throws when a line is not JSON or is longer than 16 MiB. Whoever waits for
 * the next one holds the last one only, not the piece of 64 kB that it came in.
 */
export async function* readJsonLines(body: AsyncIterable<Buffer | string>): AsyncGenerator<unknown> {
  const lines = createLineReader();
  pipeline(body instanceof Readable ? body : Readable.from(body), lines, () => undefined);
  for await (const { value } of lines as AsyncIterable<Line>) yield value;
}

function createLineReader(): Transform {
  const decoder = new TextDecoder();
  let pending = '';
  const take = (lines: Transform, chunk: Buffer | string): void => {
    pending += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const whole = pending.split('\n');
    pending = whole.pop() ?? '';
    for (const line of whole) if (line.trim() !== '') lines.push({ value: JSON.parse(line) as unknown });
    if (pending.length > maxLineBytes) throw new Error('a line of the stream is longer than 16 MiB');
  };
  return new Transform({
    writableObjectMode: false,
    decodeStrings: false,
    readableObjectMode: true,
    transform(chunk: Buffer | string, _encoding: BufferEncoding, done: TransformCallback) {
      try {
        take(this, chunk);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}
