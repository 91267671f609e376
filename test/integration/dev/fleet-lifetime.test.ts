import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { callApi } from '../../../dev/control-plane/api-call.ts';
import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import type { Fleet } from '../../../dev/control-plane/start-fleet.ts';
import { startFleet } from '../../../dev/control-plane/start-fleet.ts';
import { until } from '../../../dev/processes/until.ts';
import { childrenOf, runningProcesses } from '../../support/processes.ts';

const kubeSystem = '/api/v1/namespaces/kube-system';

async function uidOf(cluster: Cluster): Promise<string> {
  const { metadata } = JSON.parse((await callApi(cluster, kubeSystem)).text) as { metadata: { uid: string } };
  return metadata.uid;
}

async function serversIn(folder: string): Promise<readonly string[]> {
  return (await runningProcesses())
    .map(({ command }) => command)
    .filter((command) => command.includes(folder));
}

describe('two fleets at once', () => {
  let fleets: readonly Fleet[] = [];

  beforeAll(async () => {
    const reader = { token: 'reader-token', user: 'reader', groups: ['readers'] };
    fleets = await Promise.all([
      startFleet({ spokes: 1, controllers: false, users: [reader] }),
      startFleet({ spokes: ['far'], controllers: false }),
    ]);
  });

  afterAll(async () => {
    await Promise.all(fleets.map((fleet) => fleet.stop()));
  });

  const clusterOf = (index: number): Cluster => {
    const spoke = fleets[index]?.spokes[0];
    if (spoke === undefined) throw new Error('no fleet');
    return spoke;
  };

  test('have clusters with identities and objects of their own', async () => {
    const clusters = fleets.flatMap((fleet) => [fleet.hub, ...fleet.spokes]);
    expect(clusters.map(({ name }) => name)).toEqual(['hub', 'spoke-1', 'hub', 'far']);
    expect(new Set(await Promise.all(clusters.map(uidOf))).size).toBe(4);
    expect(new Set(clusters.map(({ server }) => server)).size).toBe(4);
  });

  test('report the Kubernetes version that was built', async () => {
    expect(JSON.parse((await callApi(clusterOf(0), '/version')).text)).toMatchObject({
      gitVersion: 'v1.35.4',
    });
  });

  test('know further users, without rights of their own', async () => {
    const user = { ...clusterOf(0), token: 'reader-token' };
    expect((await callApi(user, kubeSystem)).status).toBe(403);
    expect((await callApi({ ...user, token: 'unknown' }, kubeSystem)).status).toBe(401);
  });

  test('keep address, identity and token over a stop and a restart', async () => {
    const cluster = clusterOf(0);
    const before = { server: cluster.server, uid: await uidOf(cluster) };
    await cluster.stop();
    await expect(callApi(cluster, kubeSystem)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await cluster.restart();
    expect({ server: cluster.server, uid: await uidOf(cluster) }).toEqual(before);
  });

  test('answer nothing while paused, and the held request once resumed', async () => {
    const cluster = clusterOf(1);
    cluster.pause();
    const held = callApi(cluster, kubeSystem);
    const stat = async (): Promise<true | undefined> => {
      const stopped = (await runningProcesses()).some(
        ({ pid, state }) => pid === cluster.pid && state === 'T',
      );
      return stopped ? true : undefined;
    };
    await until('the API server is stopped', 10_000, stat);
    cluster.resume();
    expect((await held).status).toBe(200);
  });

  test('take a further cluster with an etcd of its own, and refuse a name twice', async () => {
    const [fleet] = fleets;
    const added = await fleet?.addCluster('late', { ownEtcd: true });
    expect(added && (await callApi(added, kubeSystem)).status).toBe(200);
    await expect(fleet?.addCluster('late')).rejects.toThrow('named late already');
  });

  test('leave neither a process nor a file after their stop', async () => {
    const folders = fleets.map((fleet) => dirname(dirname(fleet.hub.kubeconfigPath)));
    expect((await serversIn(folders[0] ?? '')).length).toBeGreaterThan(2);
    await Promise.all(fleets.map((fleet) => fleet.stop()));
    for (const folder of folders) {
      expect(await serversIn(folder)).toEqual([]);
      expect(existsSync(folder)).toBe(false);
    }
  });
});

describe('a fleet whose process is killed', () => {
  test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'leaves neither a process nor a file after %s',
    async (signal) => {
      const script = fileURLToPath(new URL('../../support/fleet-process.ts', import.meta.url));
      const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [kubeconfigPath] = (await once(createInterface(parent.stdout), 'line')) as [string];
      const folder = dirname(dirname(kubeconfigPath));
      const children = await childrenOf(parent.pid ?? 0);
      // etcd, API server, controller manager, scheduler, kwok and the reaper.
      expect(children).toHaveLength(6);
      parent.kill(signal);
      const allGone = async (): Promise<true | undefined> => {
        const running = new Set((await runningProcesses()).map(({ pid }) => pid));
        return children.every(({ pid }) => !running.has(pid)) ? true : undefined;
      };
      await until('every child is gone', 20_000, allGone);
      expect(existsSync(folder)).toBe(false);
    },
  );
});
