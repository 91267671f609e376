import { chmod, readFile, writeFile } from 'node:fs/promises';

import { recordAt, stringAt } from '../../../domain/manifests/object.ts';

/** One start of a credential plugin, as the plugin saw it. */
export interface PluginRun {
  /** `KUBERNETES_EXEC_INFO`. */
  readonly input: unknown;
  readonly args: readonly string[];
}

/** Records what a plugin is started with, then goes on as the real one. */
export interface RecordedPlugin {
  readonly command: string;
  runs(): Promise<readonly PluginRun[]>;
  /** Of the cluster whose extension names it. */
  runsFor(clusterName: string): Promise<number>;
}

/** Writes an executable that records each start in a file beside it; `then` is the real plugin with its arguments. */
export async function recordPlugin(path: string, then: readonly string[]): Promise<RecordedPlugin> {
  const log = `${path}.log`;
  const script = [
    '#!/bin/sh',
    `printf '%s\\t%s\\n' "$KUBERNETES_EXEC_INFO" "$*" >> '${log}'`,
    `exec ${then.map((word) => `'${word}'`).join(' ')} "$@"`,
    '',
  ];
  await writeFile(path, script.join('\n'));
  await chmod(path, 0o755);
  await writeFile(log, '');
  const runs = async (): Promise<readonly PluginRun[]> =>
    (await readFile(log, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [input = '', args = ''] = line.split('\t');
        return { input: JSON.parse(input) as unknown, args: args.split(' ').filter(Boolean) };
      });
  return {
    command: path,
    runs,
    async runsFor(clusterName) {
      return (await runs()).filter(({ input }) => nameIn(input) === clusterName).length;
    },
  };
}

function nameIn(input: unknown): string | undefined {
  return stringAt(recordAt(input, 'spec', 'cluster'), 'config', 'clusterName');
}
