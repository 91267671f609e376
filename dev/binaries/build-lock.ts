import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';

/** Runs `body` while no other process of this machine does the same with this folder; takes over from a dead holder. */
export async function withBuildLock<T>(folder: string, body: () => Promise<T>): Promise<T> {
  const lock = join(folder, '.lock');
  await mkdir(folder, { recursive: true });
  while (!(await tryLock(lock))) {
    if (!(await isHeld(lock))) await rm(lock, { recursive: true, force: true });
    await sleep(500);
  }
  try {
    return await body();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    await writeFile(join(lock, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isHeld(lock: string): Promise<boolean> {
  try {
    process.kill(Number(await readFile(join(lock, 'pid'), 'utf8')), 0);
    return true;
  } catch (error) {
    // The holder may be between making the folder and writing its id.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? sleep(2_000).then(() => pidExists(lock)) : false;
  }
}

async function pidExists(lock: string): Promise<boolean> {
  return readFile(join(lock, 'pid'), 'utf8').then(
    () => true,
    () => false,
  );
}
