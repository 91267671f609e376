import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createParsedCache } from '../../../adapters/releases/parsed-cache.ts';

const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: "0644"}\n';

describe('createParsedCache', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parsed-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('shares one frozen result for equal texts of any source', async () => {
    const cache = createParsedCache(undefined);
    const [first, second] = await Promise.all([cache.parse(text, 'a'), cache.parse(text, 'b')]);
    expect(first).toBe(second);
    expect(Object.isFrozen(first)).toBe(true);
    expect(Object.isFrozen(first[0]?.['data'])).toBe(true);
  });

  test('takes the result of an earlier process from disk, frozen as well', async () => {
    await createParsedCache(folder).parse(text, 'a');
    const [file = ''] = await readdir(folder);
    await writeFile(join(folder, file), '[{"kind":"FromDisk"}]');
    const found = await createParsedCache(folder).parse(text, 'a');
    expect(found).toEqual([{ kind: 'FromDisk' }]);
    expect(Object.isFrozen(found[0])).toBe(true);
  });

  test.each(['', '[{', '{"kind":"NoList"}'])(
    'parses again when the file on disk holds %j',
    async (broken) => {
      await createParsedCache(folder).parse(text, 'a');
      const [file = ''] = await readdir(folder);
      await writeFile(join(folder, file), broken);
      expect((await createParsedCache(folder).parse(text, 'a'))[0]?.['data']).toEqual({ k: '0644' });
    },
  );

  test('works where nothing can be written', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(await createParsedCache(join(folder, 'file/below')).parse(text, 'a')).toHaveLength(1);
  });

  test('does not remember a failure, and names the source of each', async () => {
    const cache = createParsedCache(folder);
    await expect(cache.parse('a: [', 'first.yaml')).rejects.toThrow('first.yaml');
    await expect(cache.parse('a: [', 'second.yaml')).rejects.toThrow('second.yaml');
    expect(await readdir(folder)).toEqual([]);
  });
});
