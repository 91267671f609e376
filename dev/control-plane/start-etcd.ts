import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '../processes/free-port.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { logTail, startServerProcess } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';

/** One etcd for all clusters of a fleet, which share it by key prefix. */
export async function startEtcd(binary: string, folder: string): Promise<{ url: string; process: ServerProcess }> {
  const [client, peer] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${String(client)}`;
  const peerUrl = `http://127.0.0.1:${String(peer)}`;
  const logFile = join(folder, 'etcd.log');
  const dataDir = join(folder, 'etcd');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const process = await startServerProcess({
    command: binary,
    logFile,
    args: [
      `--data-dir=${dataDir}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      '--unsafe-no-fsync',
      '--log-level=warn',
    ],
  });
  try {
    await until('etcd is healthy', 30_000, async () => ((await fetch(`${url}/health`)).ok ? true : undefined));
  } catch (error) {
    await process.kill();
    throw new Error(`${(error as Error).message}\n${await logTail(logFile)}`);
  }
  return { url, process };
}
