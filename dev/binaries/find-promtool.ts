import { access, constants, readdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { messageOf } from '../../domain/errors.ts';
import { cachedFolder } from '../cache/cached-folder.ts';
import { runCommand } from '../processes/run-command.ts';

const packageName = 'prometheus';

/**
 * Path of `promtool`: the one on PATH, else the one of Debian's package, which is unpacked into the cache and never
 * installed, so that no server is set up or started. Rejects with what to do.
 */
export async function findPromtool(): Promise<string> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, 'promtool');
    if (folder !== '' && (await isExecutable(path))) return path;
  }
  try {
    const folder = await cachedFolder(`promtool-debian-${process.arch}`, unpack);
    return join(folder, 'usr', 'bin', 'promtool');
  } catch (error) {
    throw new Error(
      `no promtool: put it on PATH, it is part of Prometheus. Debian's package could not be had: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

async function unpack(folder: string): Promise<void> {
  await download(folder).catch(async () => {
    // A fresh container knows no packages yet.
    await runCommand('apt-get', ['update', '-qq']);
    await download(folder);
  });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  if (archive === undefined) throw new Error(`apt-get left no package in ${folder}`);
  await runCommand('dpkg-deb', ['-x', join(folder, archive), folder]);
  await rm(join(folder, archive));
}

async function download(folder: string): Promise<void> {
  await runCommand('apt-get', ['download', '-qq', packageName], { cwd: folder });
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
