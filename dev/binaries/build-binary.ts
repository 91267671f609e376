import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cachedFolder } from '../cache/cached-folder.ts';
import { withProgress } from '../processes/progress.ts';
import { runCommand } from '../processes/run-command.ts';
import type { BinaryName, ToolModule } from './tool-modules.ts';
import { toolModules } from './tool-modules.ts';

const oldestGo = { major: 1, minor: 26 };

/** Path of a binary built from its pinned module; every byte of its sources is checked against go.sum. */
export async function buildBinary(name: BinaryName): Promise<string> {
  const tool = toolModules[name];
  const folder = await cachedFolder(`bin/${name}-${await digestOf(tool)}`, async (partial) => {
    await requireGo(tool);
    await withProgress(`building ${name} (first run only; minutes when nothing is cached)`, () =>
      goBuild(tool, join(partial, name)),
    );
  });
  return join(folder, name);
}

async function digestOf(tool: ToolModule): Promise<string> {
  const hash = createHash('sha256').update(
    `${process.platform} ${process.arch} ${tool.goPackage} ${tool.ldflags}`,
  );
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(join(tool.folder, file)));
  return hash.digest('hex').slice(0, 16);
}

async function goBuild(tool: ToolModule, output: string): Promise<void> {
  await runCommand('go', ['build', '-trimpath', '-o', output, '-ldflags', tool.ldflags, tool.goPackage], {
    cwd: tool.folder,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOWORK: 'off' },
  });
}

// Asked inside the module, where a Go that may fetch newer toolchains answers with the one it will use.
async function requireGo(tool: ToolModule): Promise<void> {
  const output = await runCommand('go', ['env', 'GOVERSION'], { cwd: tool.folder }).catch(() => '');
  const version = /^go(\d+)\.(\d+)/.exec(output.trim());
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
  if (major > oldestGo.major || (major === oldestGo.major && minor >= oldestGo.minor)) return;
  const oldest = `${String(oldestGo.major)}.${String(oldestGo.minor)}`;
  throw new Error(
    `Go ${oldest} or newer is needed once, to build the servers for development; found ${version?.[0] ?? 'none on PATH'}. ` +
      `Install Go ${oldest}, or set KUBEBUILDER_ASSETS to a folder that holds ${Object.keys(toolModules).join(', ')}`,
  );
}
