import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { cacheFolder } from '../../dev/cache/cache-folder.ts';
import { environmentFile } from '../../dev/demo/write-environment.ts';
import { runCommand } from '../../dev/processes/run-command.ts';
import type { ServerProcess } from '../../dev/processes/server-process.ts';
import { startServerProcess } from '../../dev/processes/server-process.ts';
import { until } from '../../dev/processes/until.ts';
import { shellBlocks } from '../support/code-blocks.ts';

const root = new URL('../../', import.meta.url);

describe('the guides, followed literally in one shell after another', () => {
  let folder: string;
  let demo: ServerProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'guides-'));
    const logFile = join(folder, 'demo.log');
    demo = await startServerProcess({
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', new URL('dev/demo/main.ts', root).pathname],
      env: process.env,
      logFile,
    });
    await until('the demo stays', 170_000, async () => {
      demo.gone.throwIfAborted();
      return (await readFile(logFile, 'utf8')).includes('everything stays') || undefined;
    });
  });

  afterAll(async () => {
    await demo?.stop(60_000);
    await rm(folder, { recursive: true, force: true });
  });

  const follow = async (page: string): Promise<string> => {
    const blocks = shellBlocks(await readFile(new URL(`docs/${page}`, root), 'utf8'));
    expect(blocks.length).toBeGreaterThan(3);
    const { HOME, PATH } = process.env;
    const script = ['set -euo pipefail', `source '${environmentFile}'`, 'set -x', ...blocks].join('\n');
    return runCommand('bash', ['-c', script], {
      env: { HOME, PATH, KNATIVE_FLEET_CACHE: cacheFolder() },
    });
  };

  test('the quick start shows, changes, holds and removes a component', async () => {
    const output = await follow('quick-start.md');
    expect(output).toMatch(/serving\s+fleet\/spoke-1/);
    expect(output).toContain('0 to create, 0 to change, 0 to remove');
    expect(output.slice(output.lastIndexOf('kube-system'))).not.toContain('knative-serving ');
  }, 300_000);

  test('the guide for unreachable spokes gives one up, finds the record and takes the spoke back', async () => {
    const output = await follow('unreachable-spokes.md');
    expect(output).toContain('the cluster was switched off');
    expect(output).toContain('SpokeUnreachable');
    const namespaces = output.slice(output.lastIndexOf('NAME'));
    expect(namespaces).toContain('kube-system');
    expect(namespaces).not.toContain('knative-eventing');
  }, 400_000);
});
