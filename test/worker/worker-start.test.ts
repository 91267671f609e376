import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubeconfigOf } from '../../dev/control-plane/kubeconfig.ts';

const worker = fileURLToPath(new URL('../../worker/main.ts', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'worker-start-'));
  // Nobody listens there: what is tested ends before the first request.
  const kubeconfig = kubeconfigOf({ server: 'http://127.0.0.1:9', caPem: '', token: 'none' });
  await writeFile(join(folder, 'kubeconfig'), kubeconfig);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a worker process', () => {
  test('logs the poll interval that is in force, and stops at a bad provider file with all that is wrong in it', async () => {
    const file = join(folder, 'providers.json');
    const execConfig = { command: '', apiVersion: 'v2' };
    const bad = { name: 'one', execConfig, profileSourcedCLIArgsPolicy: 'Prepend' };
    await writeFile(file, JSON.stringify({ providers: [bad, { name: '' }] }));
    const { code, stderr } = await start(
      `--clusterprofile-provider-file=${file}`,
      '--remote-deployments-poll-interval=200ms',
    );
    const logged = stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map(messageIn);
    expect(logged).toContain('remote deployments poll interval 200ms is below 1s; 10s is used');
    expect(logged).toContain('Remote deployments poll interval: 10s');
    expect(code).toBe(1);
    for (const problem of [
      `failed to load access provider config from "${file}"`,
      'providers[0].execConfig.command',
      'exec plugin: invalid apiVersion "v2"',
      'unsupported ProfileSourcedCLIArgsPolicy: "Prepend"',
      'providers[1].name',
    ])
      expect(stderr).toContain(problem);
  });
});

function messageIn(line: string): unknown {
  return (JSON.parse(line) as { msg?: string }).msg;
}

function start(...args: string[]): Promise<{ code: unknown; stderr: string }> {
  const env = {
    PATH: process.env['PATH'],
    KUBECONFIG: join(folder, 'kubeconfig'),
    METRICS_BIND_ADDRESS: 'off',
  };
  const command = ['--disable-warning=ExperimentalWarning', worker, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env, timeout: 60_000 }, (error, _stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stderr }),
    );
  });
}
