import { cp, mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { runCommand } from '../../dev/processes/run-command.ts';
import type { BuildStage, Instruction } from './dockerfile.ts';
import { parseDockerfile } from './dockerfile.ts';

/**
 * Does by shell what a container engine does with the Dockerfile of a checkout: each stage is a folder, RUN runs in it,
 * COPY copies what .dockerignore leaves. A stage that installs packages of the system is left out, with what is copied
 * from it: a test changes nothing on its machine. Returns the folder that stands for `/` of the last stage.
 */
export async function buildImage(checkout: string, folder: string): Promise<string> {
  const stages = parseDockerfile(await readFile(join(checkout, 'Dockerfile'), 'utf8'));
  const ignored = new Set((await readFile(join(checkout, '.dockerignore'), 'utf8')).trim().split('\n'));
  const roots = new Map<string, string | undefined>();
  let root = folder;
  for (const [index, stage] of stages.entries()) {
    if (installsPackages(stage)) {
      roots.set(stage.name, undefined);
      continue;
    }
    root = join(folder, `stage-${String(index)}`);
    roots.set(stage.name, root);
    await build(stage, { root, checkout, ignored, roots });
  }
  return root;
}

function installsPackages({ instructions }: BuildStage): boolean {
  return instructions.some(({ name, rest }) => name === 'RUN' && rest.startsWith('apt-get '));
}

interface Build {
  readonly root: string;
  readonly checkout: string;
  readonly ignored: ReadonlySet<string>;
  /** Folder of each stage so far; undefined for one that is left out. */
  readonly roots: ReadonlyMap<string, string | undefined>;
}

async function build(stage: BuildStage, context: Build): Promise<void> {
  let workdir = context.root;
  for (const instruction of stage.instructions) {
    if (instruction.name === 'WORKDIR') workdir = join(context.root, instruction.rest);
    await mkdir(workdir, { recursive: true });
    if (instruction.name === 'RUN') await run(instruction.rest, workdir);
    if (instruction.name === 'COPY') await copy(instruction, workdir, context);
  }
}

async function run(command: string, cwd: string): Promise<void> {
  // Packages come from the cache of npm where they are in it.
  const env = { ...process.env, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
  await runCommand('sh', ['-ec', command], { cwd, env });
}

async function copy({ rest }: Instruction, workdir: string, context: Build): Promise<void> {
  const words = rest.split(' ').filter((word) => !word.startsWith('--chown'));
  const stage = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '.';
  if (stage !== undefined && !context.roots.has(stage)) throw new Error(`there is no stage ${stage}`);
  const source = stage === undefined ? context.checkout : context.roots.get(stage);
  if (source === undefined) return;
  for (const path of paths) {
    const from = join(source, path);
    const into =
      target.endsWith('/') && path !== '.' ? join(workdir, target, basename(path)) : join(workdir, target);
    await cp(from, into, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => stage !== undefined || !context.ignored.has(file.slice(context.checkout.length + 1)),
    });
  }
}
