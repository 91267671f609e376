import { Readable } from 'node:stream';

import { describe, expect, test } from 'vitest';

import { readJsonLines } from '../../../adapters/kubernetes/json-lines.ts';

async function read(...chunks: readonly (string | Buffer)[]): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of readJsonLines(Readable.from(chunks))) lines.push(line);
  return lines;
}

describe('readJsonLines', () => {
  test('puts lines together from any pieces, letters of several bytes included', async () => {
    const text = Buffer.from('{"a":"ü€😀"}\n\n{"b":2}\n');
    const pieces = Array.from(text, (byte) => Buffer.from([byte]));
    await expect(read(...pieces)).resolves.toEqual([{ a: 'ü€😀' }, { b: 2 }]);
    await expect(read(text)).resolves.toEqual([{ a: 'ü€😀' }, { b: 2 }]);
  });

  test('drops a last line that was cut', async () => {
    await expect(read('{"a":1}\n{"b":')).resolves.toEqual([{ a: 1 }]);
  });

  test('hands out what came before the stream broke off, then throws its error', async () => {
    const body = new Readable({ read: () => undefined });
    body.push('{"a":1}\n{"b":2}\n');
    const lines = readJsonLines(body);
    await expect(lines.next()).resolves.toMatchObject({ value: { a: 1 } });
    body.destroy(new Error('reset by peer'));
    await expect(lines.next()).resolves.toMatchObject({ value: { b: 2 } });
    await expect(lines.next()).rejects.toThrow('reset by peer');
  });

  test('takes no more from the stream than is asked for, and destroys it when nobody asks any more', async () => {
    let read = 0;
    const body = new Readable({
      highWaterMark: 16,
      read() {
        read += 1;
        this.push('{"a":1}\n');
      },
    });
    const lines = readJsonLines(body);
    for (let count = 0; count < 5; count += 1) await lines.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(read).toBeLessThan(20);
    await lines.return(undefined);
    expect(body.destroyed).toBe(true);
  });

  test('refuses a stream that is closed before its end', async () => {
    const body = new Readable({ read: () => undefined });
    const next = readJsonLines(body).next();
    body.destroy();
    await expect(next).rejects.toThrow('closed before its end');
  });

  test('refuses a line that is no JSON and one without end', async () => {
    await expect(read('<html>\n')).rejects.toThrow(/JSON/);
    const megabyte = 'x'.repeat(1024 * 1024);
    await expect(read(...Array.from({ length: 20 }, () => megabyte))).rejects.toThrow(/longer than 16 MiB/);
  });
});
