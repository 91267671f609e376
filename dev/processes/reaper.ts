import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('reaper.sh', import.meta.url));
let running: Promise<Socket> | undefined;

/**
 * Tells this process's reaper what to end (a process group) or to remove (a folder) once this process is gone, even
 * after a SIGKILL: the reaper reads a pipe that only this process holds open. Resolves when the order is in the pipe.
 */
export async function tellReaper(order: 'start' | 'ended' | 'folder', value: string | number): Promise<void> {
  running ??= startReaper();
  const input = await running;
  await new Promise<void>((resolve, reject) => {
    input.write(`${order} ${String(value)}\n`, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** A folder of our own under the system's temporary one, gone at the latest when this process is. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'kf-'));
  await tellReaper('folder', folder);
  return folder;
}

async function startReaper(): Promise<Socket> {
  const child = spawn('sh', [script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  await once(child, 'spawn');
  child.unref();
  const input = child.stdin;
  if (!(input instanceof Socket)) throw new Error('the reaper has no pipe to read from');
  input.on('error', () => undefined);
  input.unref();
  return input;
}
