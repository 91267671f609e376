import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { cacheFolder } from '../cache-folder.ts';
import { runCommand } from '../processes/run-command.ts';
import { withBuildLock } from './build-lock.ts';
import type { BinaryName, ToolModule } from './tool-modules.ts';
import { toolModules } from './tool-modules.ts';

export type Binaries = Readonly<Record<BinaryName, string>>;

const names = Object.keys(toolModules) as BinaryName[];
const minGo = 1.26;

/**
 * Paths of the control plane's binaries: from the folder that KUBEBUILDER_ASSETS names, else built once from the pinned
 * tool modules into the cache. Safe to call from several processes at once. Progress goes to standard error.
 */
export async function findBinaries(): Promise<Binaries> {
  const found: Partial<Record<BinaryName, string>> = {};
  const missing: BinaryName[] = [];
  for (const name of names) {
    const given = join(process.env['KUBEBUILDER_ASSETS'] ?? '/nonexistent', name);
    if (await isExecutable(given)) found[name] = given;
    else missing.push(name);
  }
  for (const name of missing) found[name] = await builtBinary(name, missing);
  return found as Binaries;
}

async function builtBinary(name: BinaryName, all: readonly BinaryName[]): Promise<string> {
  const tool = toolModules[name];
  const folder = join(cacheFolder(), 'bin', `${name}-${await digestOf(tool)}`);
  const path = join(folder, name);
  if (existsSync(path)) return path;
  return withBuildLock(folder, async () => {
    if (!existsSync(path)) await build(name, path, { position: all.indexOf(name) + 1, of: all.length });
    return path;
  });
}

async function digestOf(tool: ToolModule): Promise<string> {
  const hash = createHash('sha256').update(tool.goPackage).update(tool.ldflags);
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(join(tool.folder, file)));
  return hash.digest('hex').slice(0, 16);
}

async function build(name: BinaryName, path: string, step: { position: number; of: number }): Promise<void> {
  await requireGo();
  const tool = toolModules[name];
  const label = `building ${name} (${String(step.position)} of ${String(step.of)}; a cold build of all takes 6 to 12 minutes)`;
  const startedAt = performance.now();
  const report = (): void => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stderr.write(`${label}: ${String(seconds)} s\n`);
  };
  report();
  const timer = setInterval(report, 30_000);
  try {
    const partial = `${path}.partial`;
    await runCommand('go', ['build', '-trimpath', '-o', partial, '-ldflags', tool.ldflags, tool.goPackage], {
      cwd: tool.folder,
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false' },
    });
    await rename(partial, path);
  } finally {
    clearInterval(timer);
  }
  report();
}

async function requireGo(): Promise<void> {
  const output = await runCommand('go', ['env', 'GOVERSION'], {}).catch(() => '');
  const version = /go(\d+\.\d+)/.exec(output)?.[1];
  if (version !== undefined && Number(version) >= minGo) return;
  throw new Error(
    `Go ${String(minGo)} or newer is needed to build the test control plane, found ${version ?? 'none'}; install it, ` +
      'or name a folder with etcd, kube-apiserver and the others in KUBEBUILDER_ASSETS',
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
