import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 250;
const unsignedMs = 5_000;

/**
 * Runs `body` while no other process of this machine holds the lock; takes over from a holder that is dead. Two may
 * hold it at once when both take over at the same moment, so it may save work but not guard correctness.
 */
export async function withFolderLock<T>(lock: string, body: () => Promise<T>): Promise<T> {
  await mkdir(dirname(lock), { recursive: true });
  let told = false;
  while (!(await tryLock(lock))) {
    const holder = await holderOf(lock);
    if (holder === 'dead') await rm(lock, { recursive: true, force: true });
    else if (!told && holder !== 'unknown') {
      told = true;
      process.stderr.write(
        `waiting for process ${String(holder)}, which prepares ${lock.replace(/\.lock$/, '')}\n`,
      );
    }
    if (holder !== 'dead') await sleep(pollMs);
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
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  await writeFile(join(lock, 'pid'), String(process.pid));
  return true;
}

async function holderOf(lock: string): Promise<number | 'dead' | 'unknown'> {
  try {
    const pid = Number(await readFile(join(lock, 'pid'), 'utf8'));
    return pid === 0 ? await unsigned(lock) : isAlive(pid);
  } catch {
    return unsigned(lock);
  }
}

// The holder may be between making the folder and writing its process id, or have died there.
async function unsigned(lock: string): Promise<'dead' | 'unknown'> {
  const madeAt = await stat(lock).then(
    (stats) => stats.mtimeMs,
    () => Date.now(),
  );
  return Date.now() - madeAt > unsignedMs ? 'dead' : 'unknown';
}

function isAlive(pid: number): number | 'dead' {
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return codeOf(error) === 'EPERM' ? pid : 'dead';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
