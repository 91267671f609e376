const maxLineBytes = 16 * 1024 * 1024;

/** Reads one JSON value a line as they arrive. Throws when a line is not JSON or is longer than 16 MiB. */
export async function* readJsonLines(body: AsyncIterable<Buffer | string>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of body) {
    pending += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    let end = pending.indexOf('\n');
    while (end >= 0) {
      const line = pending.slice(0, end);
      pending = pending.slice(end + 1);
      if (line.trim() !== '') yield JSON.parse(line) as unknown;
      end = pending.indexOf('\n');
    }
    if (pending.length > maxLineBytes) throw new Error('a line of the stream is longer than 16 MiB');
  }
}
