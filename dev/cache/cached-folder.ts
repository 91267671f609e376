import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { cacheFolder } from './cache-folder.ts';
import { withFolderLock } from './folder-lock.ts';

/**
 * A folder of the cache, filled once. `name` tells all that decides the content. `fill` gets an empty folder that becomes
 * the cached one by a rename, so a filler that was killed leaves nothing that looks complete; other processes wait for
 * it instead of doing the same work.
 */
export async function cachedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  return withFolderLock(`${folder}.lock`, async () => {
    if (existsSync(folder)) return folder;
    const partial = `${folder}.${randomUUID().slice(0, 8)}.partial`;
    await mkdir(partial, { recursive: true });
    try {
      await fill(partial);
      await rename(partial, folder);
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
    return folder;
  });
}
