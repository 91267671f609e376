import { describe, expect, test } from 'vitest';

import { readJsonLines } from '../../../adapters/kubernetes/json-lines.ts';

async function read(...chunks: readonly (string | Buffer)[]): Promise<unknown[]> {
  const lines: unknown[] = [];
  const body = (async function* () {
    yield* chunks;
  })();
  for await (const line of readJsonLines(body)) lines.push(line);
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

  test('refuses a line that is no JSON and one without end', async () => {
    await expect(read('<html>\n')).rejects.toThrow(/JSON/);
    const megabyte = 'x'.repeat(1024 * 1024);
    await expect(read(...Array.from({ length: 20 }, () => megabyte))).rejects.toThrow(/longer than 16 MiB/);
  });
});
