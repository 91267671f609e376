import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { imageEnvironment, imageSettings } from '../../../dev/operator/image-environment.ts';
import { prepareHub } from '../../../dev/operator/prepare-hub.ts';
import { freePort } from '../../../dev/processes/free-port.ts';
import { temporaryFolder } from '../../../dev/processes/reaper.ts';
import { startServerProcess } from '../../../dev/processes/server-process.ts';
import { until } from '../../../dev/processes/until.ts';
import { buildImage } from '../../support/build-image.ts';
import { parseDockerfile } from '../../support/dockerfile.ts';

const checkout = resolve(import.meta.dirname, '../../..');

describe('the Dockerfile', () => {
  test('has stages that build and a small last stage that runs as an unprivileged user', async () => {
    const stages = parseDockerfile(await readFile(join(checkout, 'Dockerfile'), 'utf8'));
    expect(stages.slice(0, -1).map(({ name }) => name)).toEqual(['build', 'allocator']);
    expect(stages.filter(({ from }) => !/^[a-z]+:\d+-[a-z-]+$/.test(from))).toEqual([]);
    const last = stages.at(-1)?.instructions ?? [];
    expect(last.filter(({ name }) => name === 'RUN' || name === 'ADD')).toEqual([]);
    expect(last.filter(({ name }) => name === 'USER').map(({ rest }) => rest)).toEqual(['65532:65532']);
    const copied = last.filter(({ name }) => name === 'COPY').map(({ rest }) => rest);
    expect(copied.filter((rest) => !/--from=(build|allocator) /.test(rest))).toEqual([]);
  });

  test('preloads the allocator that it copies, with the settings that the benchmarks run with', async () => {
    const last = parseDockerfile(await readFile(join(checkout, 'Dockerfile'), 'utf8')).at(-1);
    const rests = (wanted: string) =>
      (last?.instructions ?? []).filter(({ name }) => name === wanted).map(({ rest }) => rest);
    expect(rests('COPY')).toContainEqual(expect.stringMatching(/\/libjemalloc\.so\.2 \.\/lib\/$/));
    const [environment = ''] = rests('ENV');
    expect(environment).toContain(' LD_PRELOAD=/app/lib/libjemalloc.so.2 ');
    expect(environment).toContain(` MALLOC_CONF=${imageSettings.MALLOC_CONF} `);
    expect(environment).toContain(` NODE_OPTIONS="${imageSettings.NODE_OPTIONS}"`);
  });

  test('has settings that Node.js accepts, and the allocator where it is installed', () => {
    const { MALLOC_CONF: settings = '', ...environment } = imageEnvironment();
    const env = { ...environment, MALLOC_CONF: `${settings},abort_conf:true` };
    const run = spawnSync(process.execPath, ['-p', 'typeof gc'], { env, encoding: 'utf8' });
    expect(run).toMatchObject({ status: 0, stdout: 'function\n', stderr: '' });
  });
});

describe('what the steps of the Dockerfile build', { timeout: 300_000 }, () => {
  let folder: string;
  let app: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    app = join(await buildImage(checkout, folder), 'app');
  }, 300_000);

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  test('holds no development tools and no sources', () => {
    const found = spawnSync('sh', ['-c', 'ls; ls node_modules'], { cwd: app, encoding: 'utf8' }).stdout;
    const names = found.split('\n');
    expect(names).toEqual(expect.arrayContaining(['dist', 'package.json', 'releases', 'undici']));
    const unwanted = ['typescript', 'vitest', 'node', 'oxlint', 'test', 'dev', 'worker'];
    expect(names.filter((name) => unwanted.includes(name))).toEqual([]);
  });

  test('has the command line on its path', () => {
    const env = { PATH: process.env['PATH'] };
    const run = spawnSync(join(app, 'bin/knative-fleet'), ['render', '-f', '-'], {
      env,
      encoding: 'utf8',
      input: '{apiVersion: operator.knative.dev/v1beta1, kind: KnativeEventing, metadata: {name: a}}',
    });
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toContain('kind: Deployment');
  });

  test.each(['worker', 'starter'])(
    'runs as %s against a hub and Temporal, and ends when it is told to',
    async (name) => {
      const { hub } = inject('fleet');
      const { address, namespace } = inject('temporal');
      await prepareHub(hub);
      const operations = `127.0.0.1:${String(await freePort())}`;
      const server = await startServerProcess({
        command: process.execPath,
        args: [join(app, `dist/${name}/main.js`)],
        env: {
          KUBECONFIG: hub.kubeconfigPath,
          TEMPORAL_ADDRESS: address,
          TEMPORAL_NAMESPACE: namespace,
          HUB_ID: 'image-test',
          METRICS_BIND_ADDRESS: operations,
        },
        logFile: join(folder, `${name}.log`),
      });
      try {
        const ready = async (): Promise<true | undefined> => {
          const answer = await fetch(`http://${operations}/readyz`).catch(() => undefined);
          return answer?.status === 200 ? true : undefined;
        };
        expect(await until(`the ${name} is ready`, 60_000, ready, server.gone)).toBe(true);
      } finally {
        await server.stop(45_000);
      }
    },
  );

  test('starts its own credential plugin by path', () => {
    const plugin = join(app, 'dist/plugins/secretreader.js');
    const { stderr, error } = spawnSync(plugin, [], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    expect(error).toBeUndefined();
    expect(stderr).toContain('KUBERNETES_EXEC_INFO is not set');
  });
});
