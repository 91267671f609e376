import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '../processes/free-port.ts';
import { onFreePort } from '../processes/on-free-port.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { startServerProcess } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';

export interface Etcd {
  readonly url: string;
  readonly process: ServerProcess;
}

/** Starts an etcd that keeps its data in the folder and does not wait for the disk. */
export function startEtcd(binary: string, folder: string): Promise<Etcd> {
  return onFreePort((port) => startOnPort(binary, folder, port));
}

async function startOnPort(binary: string, folder: string, port: number): Promise<Etcd> {
  const dataFolder = join(folder, `etcd-${String(port)}`);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const url = `http://127.0.0.1:${String(port)}`;
  const peerUrl = `http://127.0.0.1:${String(await freePort())}`;
  const process = await startServerProcess({
    command: binary,
    args: [
      `--data-dir=${dataFolder}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      '--unsafe-no-fsync',
      '--log-level=warn',
    ],
    logFile: join(folder, 'etcd.log'),
  });
  try {
    const healthy = async (): Promise<true | undefined> =>
      (await fetch(`${url}/health`)).ok ? true : undefined;
    await until('etcd is healthy', 60_000, healthy, process.gone);
    return { url, process };
  } catch (error) {
    await process.stop();
    throw error;
  }
}
