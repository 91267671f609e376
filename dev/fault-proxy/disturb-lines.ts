import { Transform } from 'node:stream';

/** What becomes of one line; `swap`: it comes after the next one. */
export type LineFate = 'pass' | 'drop' | 'double' | 'swap';

/** A line whose successor does not come is late, not lost. */
const heldMs = 300;

/** Passes a stream on line by line, whatever its chunks are, and does to each line what `decide` says. */
export function disturbLines(decide: (line: string) => LineFate): Transform {
  const decoder = new TextDecoder();
  let pending = '';
  let held = '';
  let timer: NodeJS.Timeout | undefined;
  const release = (): void => {
    clearTimeout(timer);
    if (held !== '') stream.push(held);
    held = '';
  };
  const hold = (line: string): void => {
    held = line;
    timer = setTimeout(release, heldMs);
  };
  const take = (line: string): void => {
    const fate = decide(line);
    if (fate === 'drop') return;
    if (fate === 'swap' && held === '') {
      hold(line);
      return;
    }
    stream.push(line);
    if (fate === 'double') stream.push(line);
    release();
  };
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (pending + decoder.decode(chunk, { stream: true })).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) take(`${line}\n`);
      done();
    },
    flush(done) {
      release();
      if (pending !== '') stream.push(pending);
      done();
    },
    destroy(error, done) {
      clearTimeout(timer);
      done(error);
    },
  });
  return stream;
}
