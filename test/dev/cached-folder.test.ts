import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, test, vi } from 'vitest';

import { cachedFolder } from '../../dev/cache/cached-folder.ts';

let cache: string;

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'cached-folder-'));
  vi.stubEnv('KNATIVE_FLEET_CACHE', cache);
  return async () => {
    vi.unstubAllEnvs();
    await rm(cache, { recursive: true });
  };
});

const fillWith = (content: string) => (folder: string) => writeFile(join(folder, 'file'), content);

describe('cachedFolder', () => {
  test('is filled once when several ask at the same time', async () => {
    const fill = vi.fn<(folder: string) => Promise<void>>(fillWith('x'));
    const folders = await Promise.all([1, 2, 3].map(() => cachedFolder('a/b', fill)));
    expect(fill).toHaveBeenCalledTimes(1);
    expect(new Set(folders)).toEqual(new Set([join(cache, 'a/b')]));
    expect(await readFile(join(cache, 'a/b/file'), 'utf8')).toBe('x');
  });

  test('leaves nothing behind when filling fails, and fills on the next call', async () => {
    const failing = async (folder: string): Promise<void> => {
      await writeFile(join(folder, 'half'), '');
      throw new Error('disk full');
    };
    await expect(cachedFolder('a', failing)).rejects.toThrow('disk full');
    expect(await readdir(cache)).toEqual([]);
    await cachedFolder('a', fillWith('y'));
    expect(await readdir(join(cache, 'a'))).toEqual(['file']);
  });

  test('takes over the lock of a process that is dead', async () => {
    const gone = spawn('true');
    await once(gone, 'exit');
    await mkdir(join(cache, 'a.lock'));
    await writeFile(join(cache, 'a.lock', 'pid'), String(gone.pid));
    await cachedFolder('a', fillWith('z'));
    expect(await readFile(join(cache, 'a/file'), 'utf8')).toBe('z');
  });
});
