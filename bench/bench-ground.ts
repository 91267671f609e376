import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import { createClusterClient } from '../adapters/kubernetes/http-cluster-client.ts';
import { cacheFolder } from '../dev/cache/cache-folder.ts';
import type { Cluster, ClusterUser } from '../dev/control-plane/cluster.ts';
import { kubectl } from '../dev/control-plane/kubectl.ts';
import { startFleet } from '../dev/control-plane/start-fleet.ts';
import type { DemoReleases } from '../dev/demo/find-releases.ts';
import { startTcpProxy } from '../dev/fault-proxy/start-tcp-proxy.ts';
import { ensureNamespace, prepareHub } from '../dev/operator/prepare-hub.ts';
import {
  installClusterProfileCrd,
  registerSpoke,
  writeProviderFile,
} from '../dev/operator/register-spoke.ts';
import { startOperator } from '../dev/operator/start-operator.ts';
import { until } from '../dev/processes/until.ts';
import { startTemporal } from '../dev/temporal/start-temporal.ts';
import { resourceNamespace } from './bench-components.ts';
import type { Installer } from './measurement.ts';
import type { TrafficMeter } from './traffic-meter.ts';
import { startMeter } from './traffic-meter.ts';

/** Servers with a running operator, and a spoke that is reached only through links. */
export interface BenchGround {
  readonly hub: ClusterClient;
  /** Past every link, with a user of its own that no meter counts. */
  readonly spoke: ClusterClient;
  readonly temporal: { readonly address: string; readonly namespace: string };
  /** Process ids. */
  readonly processes: Readonly<Record<BenchProcess, number>>;
  readonly profile: { readonly name: string; readonly namespace: string };
  /**
   * Opens the only way to the spoke and names it in the ClusterProfile. Its address is new, so that the operator begins
   * without a connection, credentials and discovery, as on a spoke that it never saw.
   */
  openLink(roundTripMs: number): Promise<Link>;
  /** Takes away what stays on the spoke by design, so that every install begins on a clean cluster. */
  purge(): Promise<void>;
  readonly cache: string;
  stop(): Promise<void>;
}

export type BenchProcess = 'worker' | 'starter' | 'temporal';

export interface Link {
  newMeter(installer: Installer): Promise<TrafficMeter>;
  /** A new client through the link, with the operator's limits. */
  floorClient(): ClusterClient;
  close(): Promise<void>;
}

const inventoryNamespace = 'fleet';
const users: Readonly<Record<Installer, ClusterUser>> = {
  operator: { user: 'bench-operator', token: randomUUID(), groups: ['system:masters'] },
  floor: { user: 'bench-floor', token: randomUUID(), groups: ['system:masters'] },
};

export async function startGround(releases: DemoReleases): Promise<BenchGround> {
  const folder = join(cacheFolder(), `bench-${String(process.pid)}`);
  const stops: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    return await openGround({ releases, folder, stops, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Start {
  readonly releases: DemoReleases;
  readonly folder: string;
  readonly stops: (() => Promise<void>)[];
  readonly stop: () => Promise<void>;
}

async function openGround({ releases, folder, stops, stop }: Start): Promise<BenchGround> {
  await mkdir(folder, { recursive: true });
  const temporal = await startTemporal();
  stops.push(() => temporal.stop());
  const all = Object.values(users);
  const fleet = await startFleet({ spokes: 1, users: all, auditedUsers: all.map(({ user }) => user) });
  stops.push(() => fleet.stop());
  const [spoke] = fleet.spokes;
  if (spoke?.auditLog === undefined) throw new Error('the spoke records no requests');
  const { auditLog } = spoke;
  await prepareHub(fleet.hub);
  await ensureNamespace(fleet.hub, resourceNamespace);
  await installClusterProfileCrd(fleet.hub);
  const providerFile = join(folder, 'access-providers.json');
  await writeProviderFile(providerFile);
  const cache = join(cacheFolder(), 'releases');
  const { kubeconfigPath } = fleet.hub;
  const operator = await startOperator({
    folder,
    kubeconfigPath,
    temporal,
    providerFile,
    releases: releases.root,
    cache,
    built: true,
  });
  stops.push(() => operator.stop());
  const hub = clientFor(fleet.hub);
  stops.push(() => hub.close());
  const direct = clientFor(spoke);
  stops.push(() => direct.close());
  return {
    hub,
    spoke: direct,
    temporal,
    processes: { ...operator.pids, temporal: temporal.pid },
    cache,
    stop,
    profile: { name: spoke.name, namespace: inventoryNamespace },
    openLink: (roundTripMs) => openLink({ hub: fleet.hub, spoke, auditLog }, roundTripMs),
    purge: () => purge(spoke),
  };
}

interface Ends {
  readonly hub: Cluster;
  readonly spoke: Cluster;
  readonly auditLog: string;
}

async function openLink({ hub, spoke, auditLog }: Ends, roundTripMs: number): Promise<Link> {
  const target = { host: '127.0.0.1', port: Number(new URL(spoke.server).port) };
  const proxy = await startTcpProxy(target, roundTripMs / 2);
  const server = `https://127.0.0.1:${String(proxy.port)}`;
  const reached = { name: spoke.name, caPem: spoke.caPem, server };
  const registered = { ...reached, token: users.operator.token };
  await registerSpoke({ hub, spoke: registered, namespace: inventoryNamespace });
  return {
    newMeter: (installer) => startMeter(auditLog, users[installer].user, proxy),
    floorClient: () => clientFor({ ...reached, token: users.floor.token }),
    close: () => proxy.stop(),
  };
}

function clientFor(cluster: Pick<Cluster, 'server' | 'caPem' | 'token'>): ClusterClient {
  const { server, caPem, token } = cluster;
  const credential = (): Promise<{ token: string }> => Promise.resolve({ token });
  return createClusterClient(
    { server, certificateAuthority: caPem, credential },
    { fieldManager: 'knative-fleet-bench' },
  );
}

const builtIn = /\/(system:|(cluster-admin|admin|edit|view)$)/;

async function purge(spoke: Cluster): Promise<void> {
  await kubectl(spoke, ['delete', 'crd', '--all', '--wait=false']);
  // When its storage is initializing, the API server tries again minutes later, or as soon as the CRD changes.
  await until('the CRDs on the spoke are gone', 600_000, async () => {
    const left = (await kubectl(spoke, ['get', 'crd', '-o', 'name'])).split('\n').filter(Boolean);
    if (left.length === 0) return true;
    const change = `bench=${String(Date.now())}`;
    // One that goes in between makes the command fail; the next look tells.
    await kubectl(spoke, ['annotate', '--overwrite', ...left, change]).catch(() => undefined);
    return undefined;
  });
  // What the aggregation controller brought back after a raw delete has no label to find it by.
  const roles = (await kubectl(spoke, ['get', 'clusterroles', '-o', 'name'])).split('\n');
  const foreign = roles.filter((role) => role !== '' && !builtIn.test(role));
  if (foreign.length > 0) await kubectl(spoke, ['delete', '--ignore-not-found', ...foreign]);
}
