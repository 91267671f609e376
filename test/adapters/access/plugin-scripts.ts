import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PluginCall } from '../../../adapters/access/profile-access.ts';

export const execVersion = 'client.authentication.k8s.io/v1';

/** A folder with plugins that are really started. */
export interface PluginScripts {
  readonly folder: string;
  /** A shell script with this body; `runs` counts its starts. */
  shell(name: string, body: string): Promise<string>;
  /** A Node program with this body. */
  node(name: string, body: string): Promise<string>;
  file(name: string, content: string | Buffer, mode?: number): Promise<string>;
  runs(name: string): Promise<number>;
  remove(): Promise<void>;
}

export async function createPluginScripts(): Promise<PluginScripts> {
  const folder = await mkdtemp(join(tmpdir(), 'plugins-'));
  const file: PluginScripts['file'] = async (name, content, mode = 0o755) => {
    const path = join(folder, name);
    await writeFile(path, content);
    await chmod(path, mode);
    return path;
  };
  return {
    folder,
    file,
    shell: (name, body) => file(name, `#!/bin/sh\necho run >> '${join(folder, `${name}.runs`)}'\n${body}\n`),
    node: (name, body) => file(name, `#!${process.execPath}\n${body}\n`),
    async runs(name) {
      const log = await readFile(join(folder, `${name}.runs`), 'utf8').catch(() => '');
      return log.split('\n').filter((line) => line === 'run').length;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export function callOf(command: string, more: Partial<PluginCall> = {}): PluginCall {
  return {
    command,
    args: [],
    env: [],
    apiVersion: execVersion,
    installHint: '',
    clusterInfo: undefined,
    ...more,
  };
}

export function credentialJson(status: object, more: object = {}): string {
  return JSON.stringify({ apiVersion: execVersion, kind: 'ExecCredential', status, ...more });
}

/** A shell command that prints a credential. */
export function print(text: string): string {
  return `cat <<'END'\n${text}\nEND`;
}
