import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { findBinaries } from '../binaries/find-binaries.ts';
import type { ClusterBinary } from '../binaries/tool-modules.ts';
import { clusterBinaries } from '../binaries/tool-modules.ts';
import { temporaryFolder } from '../processes/reaper.ts';
import type { Cluster, ClusterOptions, ClusterUser } from './cluster.ts';
import type { AnswerDial, Dial } from './egress-sink.ts';
import type { StartedCluster } from './start-cluster.ts';
import { startCluster } from './start-cluster.ts';
import type { Etcd } from './start-etcd.ts';
import { startEtcd } from './start-etcd.ts';

export interface FleetOptions {
  /** How many (named `spoke-1` and so on), or their names. */
  readonly spokes: number | readonly string[];
  /** For every cluster; default true. */
  readonly controllers?: boolean;
  /** For every cluster. */
  readonly users?: readonly ClusterUser[];
  /** For every spoke: users whose requests its API server records. */
  readonly auditedUsers?: readonly string[];
  /** Overrides for the hub. */
  readonly hub?: ClusterOptions;
  /** Default: every dial is refused. */
  readonly answerDial?: AnswerDial;
}

/** A hub and its spokes on loopback. */
export interface Fleet {
  readonly hub: Cluster;
  readonly spokes: readonly Cluster[];
  /** Starts one more cluster; its name must be new. It ends with the fleet. */
  addCluster(name: string, options?: ClusterOptions): Promise<Cluster>;
  /** Every attempt of an API server to dial a webhook, Service, Pod or Node, in the order of each cluster. */
  dials(): readonly Dial[];
  /** Ends everything and removes all files. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts real servers and resolves when all are ready. Several fleets may run at once. Nothing of it survives this
 * process, however that ends.
 */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const binaries = await findBinaries(clusterBinaries);
  const folder = await temporaryFolder();
  const ground = createGround(binaries, folder, options);
  const names = typeof options.spokes === 'number' ? numberedNames(options.spokes) : options.spokes;
  const defaults = { controllers: options.controllers ?? true, users: options.users ?? [] };
  const spokeOptions = { ...defaults, auditedUsers: options.auditedUsers ?? [] };
  try {
    const [hub, ...spokes] = await settled([
      ground.add('hub', { ...defaults, ...options.hub }),
      ...names.map((name) => ground.add(name, spokeOptions)),
    ]);
    if (hub === undefined) throw new Error('no hub was started');
    return {
      hub,
      spokes,
      addCluster: (name, more) => ground.add(name, { ...defaults, ...more }),
      dials: ground.dials,
      stop: ground.stop,
    };
  } catch (error) {
    await ground.stop();
    throw error;
  }
}

interface Ground {
  readonly add: (name: string, options: ClusterOptions) => Promise<Cluster>;
  readonly dials: () => readonly Dial[];
  readonly stop: () => Promise<void>;
}

function createGround(
  binaries: Readonly<Record<ClusterBinary, string>>,
  folder: string,
  { answerDial }: FleetOptions,
): Ground {
  const started: StartedCluster[] = [];
  const etcds: Etcd[] = [];
  const names = new Set<string>();
  const newEtcd = async (place: string): Promise<Etcd> => {
    const etcd = await startEtcd(binaries.etcd, place);
    etcds.push(etcd);
    return etcd;
  };
  let shared: Promise<Etcd> | undefined;
  let stopping: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    await Promise.all(started.map(({ cluster }) => cluster.stop()));
    await Promise.all([
      ...etcds.map((etcd) => etcd.process.stop()),
      ...started.map(({ sink }) => sink.stop()),
    ]);
    await rm(folder, { recursive: true, force: true });
  };
  return {
    async add(name, options) {
      if (names.has(name)) throw new Error(`the fleet has a cluster named ${name} already`);
      names.add(name);
      const place = join(folder, name);
      const etcd = await (options.ownEtcd ? newEtcd(folder) : (shared ??= newEtcd(folder)));
      const setup = { ...options, name, folder: place, binaries, etcdUrl: etcd.url, answerDial };
      const one = await startCluster(setup);
      started.push(one);
      return one.cluster;
    },
    dials: () => started.flatMap(({ sink }) => sink.dials),
    stop: () => (stopping ??= stopAll()),
  };
}

function numberedNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `spoke-${String(index + 1)}`);
}

/** Waits for all before it rejects, so that whatever did start is known and can be ended. */
async function settled<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
