import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findBinaries } from '../binaries/find-binaries.ts';
import type { Binaries } from '../binaries/find-binaries.ts';
import type { Cluster } from './cluster.ts';
import type { Dial } from './egress-sink.ts';
import type { ApiServer, ApiServerOptions } from './start-api-server.ts';
import { startApiServer } from './start-api-server.ts';
import { startControllers } from './start-controllers.ts';
import { startEtcd } from './start-etcd.ts';

export interface FleetOptions {
  /** Names of the spokes; each becomes an API server of its own. */
  readonly spokes: readonly string[];
  /** Real controllers and a simulated node on every cluster; default true. */
  readonly controllers?: boolean;
  readonly users?: ApiServerOptions['users'];
}

/** A hub and its spokes on loopback, on one etcd. */
export interface Fleet {
  readonly hub: Cluster;
  readonly spokes: readonly Cluster[];
  /** Starts one more cluster on the same etcd. */
  addCluster(name: string, options?: { controllers?: boolean }): Promise<Cluster>;
  /** Every attempt of an API server to dial a webhook or a Service; all were refused. */
  dials(): readonly Dial[];
  /** Ends everything and removes all files. Idempotent. */
  stop(): Promise<void>;
}

/** Starts real servers and resolves when all are ready. Nothing of it survives this process. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const binaries = await findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'knative-fleet-'));
  const etcd = await startEtcd(binaries.etcd, folder);
  const clusters: RunningCluster[] = [];
  const add = async (name: string, controllers: boolean): Promise<ApiServer> => {
    const settings = { name, folder: join(folder, name), etcdUrl: etcd.url, users: options.users ?? [] };
    const cluster = await startCluster(binaries, settings, controllers);
    clusters.push(cluster);
    return cluster.api;
  };
  let stopping: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    await etcd.process.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const controllers = options.controllers ?? true;
    const [hub, ...spokes] = await Promise.all(['hub', ...options.spokes].map((name) => add(name, controllers)));
    if (hub === undefined) throw new Error('no hub was started');
    return {
      hub,
      spokes,
      addCluster: (name, more) => add(name, more?.controllers ?? true),
      dials: () => clusters.flatMap((cluster) => cluster.api.sink.dials),
      stop: () => (stopping ??= stopAll()),
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

interface RunningCluster {
  readonly api: ApiServer;
  stop(): Promise<void>;
}

async function startCluster(
  binaries: Binaries,
  options: ApiServerOptions,
  controllers: boolean,
): Promise<RunningCluster> {
  const api = await startApiServer(binaries, options);
  const processes = controllers ? await startControllers(binaries, api) : [];
  return {
    api,
    async stop() {
      await Promise.all(processes.map((process) => process.stop(3_000)));
      await api.stop();
    },
  };
}
