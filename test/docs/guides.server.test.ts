import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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

  /** `scene` is what the page takes for granted; `before` brings about what a block is for, by a text in that block. */
  const follow = async (page: string, scene = '', before: Readonly<Record<string, string>> = {}) => {
    const blocks = shellBlocks(await readFile(new URL(`docs/${page}`, root), 'utf8'));
    expect(blocks).not.toEqual([]);
    const staged = blocks.flatMap((block) => [
      ...Object.entries(before).flatMap(([text, commands]) => (block.includes(text) ? [commands] : [])),
      block,
    ]);
    for (const text of Object.keys(before)) expect(blocks.join('\n')).toContain(text);
    const { HOME, PATH } = process.env;
    const script = ['set -euo pipefail', `source '${environmentFile}'`, scene, 'set -x', ...staged].join(
      '\n',
    );
    return runCommand('bash', ['-c', script], {
      env: { HOME, PATH, KNATIVE_FLEET_CACHE: cacheFolder() },
    });
  };

  test('a spoke is registered by hand, checked, used and taken out', async () => {
    const output = await follow('spokes.md', 'export SPOKE="$SPOKE_1" NAME=by-hand');
    expect(output).toMatch(/eventing-by-hand .*fleet\/by-hand/);
    expect(output).toContain('knativeeventing.operator.knative.dev/eventing-by-hand condition met');
    expect(output).toMatch(/0 problems/);
  }, 300_000);

  test('the command line completes, and makes a role for a spoke', async () => {
    await follow('cli.md');
    const role = join(folder, 'role');
    await mkdir(role);
    const here = `ln -s '${root.pathname}scripts' '${root.pathname}releases' '${role}' && cd '${role}'`;
    await follow('install.md', `export PATH='${dirname(process.execPath)}':"$PATH"; ${here}`);
    expect(await readFile(join(role, 'spoke-role.yaml'), 'utf8')).toContain('team-a');
  });

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

  test('the page on the Temporal UI finds, holds and gives up a component by temporal alone', async () => {
    const serving = `kubectl apply -f - <<'YAML'
apiVersion: operator.knative.dev/v1beta1
kind: KnativeServing
metadata: { name: serving, namespace: platform }
spec:
  version: '1.22'
  destination: { clusterProfileRef: { name: spoke-1, namespace: fleet } }
  ingress: { kourier: { enabled: true } }
YAML
kubectl wait knativeserving/serving -n platform --for=condition=Ready --timeout=120s`;
    const reason = `-o jsonpath='{.status.conditions[?(@.type=="TargetClusterResolved")].reason}'`;
    const goesDark = `until knative-fleet status serving/platform/serving | grep -q ' Ready '; do sleep 1; done
kill -STOP "$SPOKE_1_PID"
kubectl delete knativeserving serving -n platform --wait=false
until kubectl get knativeserving serving -n platform ${reason} | grep -q SpokeUnreachable; do sleep 1; done`;
    const gone = 'kubectl wait knativeserving/serving -n platform --for=delete --timeout=180s';
    const output = await follow('temporal-ui.md', serving, {
      '--name forceCleanup': goesDark,
      'fleet.knative.dev/abandoned=true': gone,
    });
    expect(output).toContain('KnativeServing/platform/serving');
    expect(output).toContain('the cluster was switched off');
    await runCommand('bash', ['-c', `source '${environmentFile}'; kill -CONT "$SPOKE_1_PID"`]);
  }, 400_000);
});
