import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

import type { Client } from '@temporalio/client';

import { createElectionLease } from '../adapters/hub/election-lease.ts';
import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import { createClusterClient } from '../adapters/kubernetes/http-cluster-client.ts';
import { loadHubConnection } from '../adapters/kubernetes/hub-connection.ts';
import { createDependencies } from '../adapters/operations/dependencies.ts';
import { startOperationsServer } from '../adapters/operations/operations-server.ts';
import { observeClusters } from '../adapters/telemetry/metrics/cluster-metrics.ts';
import type { ClusterObserver } from '../adapters/telemetry/metrics/cluster-metrics.ts';
import { exportReachability } from '../adapters/telemetry/metrics/process-metrics.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { connectPatiently } from '../adapters/temporal/connect-patiently.ts';
import { connectClient, temporalSettings } from '../adapters/temporal/connection.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import type { StarterConfig } from './config.ts';
import { workAsLeader } from './leader-election.ts';
import { runStarter } from './run-starter.ts';
import { createStarterTelemetry } from './starter-telemetry.ts';
import type { StarterTelemetry } from './starter-telemetry.ts';

interface Parts {
  readonly config: StarterConfig;
  readonly log: Logger;
  readonly telemetry: StarterTelemetry;
  readonly clusters: ClusterObserver;
}

/** Everything that a starter is, from its probes to its last message; ends when the signal aborts. */
export async function serveStarter(config: StarterConfig, log: Logger, stop: AbortSignal): Promise<void> {
  const telemetry = createStarterTelemetry(config.sweepIntervalMs);
  const parts = { config, log, telemetry, clusters: observeClusters(telemetry.metrics) };
  const hub = hubClient(parts);
  let temporal: Client | undefined;
  const ended = new AbortController();
  const dependencies = createDependencies({
    hub,
    temporal: () => temporal?.workflowService,
    namespace: temporalSettings().namespace,
  });
  exportReachability(telemetry.metrics, dependencies);
  const address = config.operationsAddress;
  const operations =
    address === undefined
      ? undefined
      : await startOperationsServer({
          address,
          live: telemetry.live(),
          ready: telemetry.ready(dependencies),
          metrics: () => telemetry.metrics.text(),
        });
  const asking = Object.values(dependencies).map((dependency) => dependency.run(ended.signal));
  try {
    temporal = await connectPatiently(connectClient, log, stop);
    log.info({ hub: hub.server, operations: operations?.address }, 'ready');
    await work(parts, { hub, temporal }, stop);
  } finally {
    ended.abort();
    await Promise.all(asking);
    await Promise.all([operations?.close(), temporal?.connection.close(), hub.close()]);
  }
}

async function work(
  { config, log, telemetry, clusters }: Parts,
  connections: { readonly hub: ClusterClient; readonly temporal: Client },
  stop: AbortSignal,
): Promise<void> {
  const { hubId, operatorNamespace, sweepIntervalMs, leaseMs } = config;
  const { observe } = telemetry;
  const watch = (signal: AbortSignal): Promise<void> =>
    runStarter({ ...connections, log, hubId, operatorNamespace, sweepIntervalMs, observe }, signal);
  if (!config.leaderElection) {
    observe.role('leader');
    return watch(stop);
  }
  const electionHub = hubClient({ config, clusters });
  const place = { namespace: operatorNamespace, name: wireNames.starterLease, durationMs: leaseMs };
  const lease = createElectionLease(electionHub, place);
  const identity = `${hostname()}_${randomBytes(6).toString('hex')}`;
  try {
    const onRole = (role: 'leader' | 'standby'): void => observe.role(role);
    await workAsLeader({ lease, identity, leaseMs, log, onRole }, watch, stop);
  } finally {
    await electionHub.close();
  }
}

function hubClient({ config, clusters }: Pick<Parts, 'config' | 'clusters'>): ClusterClient {
  return createClusterClient(loadHubConnection(config.kubeconfig), {
    fieldManager: wireNames.fieldManager,
    ...clusters.connection('hub'),
  });
}
