import type { NativeConnection, Worker } from '@temporalio/worker';

import type { SpokeAccess } from '../adapters/access/target-access.ts';
import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import { createClusterClient } from '../adapters/kubernetes/http-cluster-client.ts';
import { loadHubConnection } from '../adapters/kubernetes/hub-connection.ts';
import { createDependencies } from '../adapters/operations/dependencies.ts';
import { startOperationsServer } from '../adapters/operations/operations-server.ts';
import { openSpokes } from '../adapters/spokes/open-spokes.ts';
import { exportReachability } from '../adapters/telemetry/metrics/process-metrics.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { connectPatiently } from '../adapters/temporal/connect-patiently.ts';
import { temporalSettings } from '../adapters/temporal/connection.ts';
import { installRuntime } from '../adapters/temporal/runtime.ts';
import { connectWorker } from '../adapters/temporal/worker-connection.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { collectAfterBursts } from './collect-after-bursts.ts';
import { composeActivities } from './composition.ts';
import type { WorkerConfig } from './config.ts';
import { createWorkers } from './create-workers.ts';
import { requireSearchAttributes } from './require-search-attributes.ts';
import { runWorkers, workersFailure, workersProblem } from './run-workers.ts';
import { createWorkerTelemetry } from './telemetry.ts';
import type { WorkerTelemetry } from './telemetry.ts';

interface Parts {
  readonly config: WorkerConfig;
  readonly log: Logger;
  readonly telemetry: WorkerTelemetry;
  readonly hub: ClusterClient;
}

/** Everything that a worker process is, from its probes to its last activity; ends when the signal aborts. */
export async function serveWorker(config: WorkerConfig, log: Logger, stop: AbortSignal): Promise<void> {
  const telemetry = createWorkerTelemetry();
  const hub = createClusterClient(loadHubConnection(config.kubeconfig), {
    fieldManager: wireNames.fieldManager,
    ...telemetry.clusters.connection('hub'),
  });
  const parts: Parts = { config, log, telemetry, hub };
  const state: State = { connection: undefined, workers: [] };
  const operations = await openOperations(parts, state);
  let spokes: SpokeAccess | undefined;
  try {
    spokes = await openSpokes({ hub, log, providerFile: config.providerFile, observe: telemetry });
    state.connection = await connectPatiently(connectWorker, log, stop);
    await requireSearchAttributes(state.connection, { namespace: temporalSettings().namespace, log });
    state.workers = await startWorkers(parts, spokes, state.connection);
    log.info({ hub: hub.server, ...temporalSettings(), operations: operations.address }, 'ready');
    await runWorkers(state.workers, log, stop);
  } finally {
    await operations.close();
    await state.connection?.close();
    await spokes?.close();
    await hub.close();
  }
}

/** What the probes look at while the process comes up and goes down. */
interface State {
  connection: NativeConnection | undefined;
  workers: readonly Worker[];
}

interface Operations {
  readonly address: string | undefined;
  close(): Promise<void>;
}

async function openOperations({ config, log, telemetry, hub }: Parts, state: State): Promise<Operations> {
  const address = config.operationsAddress;
  const sdk = await installRuntime({ log, metrics: address !== undefined });
  const dependencies = createDependencies({
    hub,
    temporal: () => state.connection?.workflowService,
    namespace: temporalSettings().namespace,
  });
  exportReachability(telemetry.metrics, dependencies);
  const server =
    address === undefined
      ? undefined
      : await startOperationsServer({
          address,
          live: { workers: () => workersFailure(state.workers) },
          ready: {
            hub: () => dependencies.hub.problem(),
            temporal: () => dependencies.temporal.problem(),
            workers: () => workersProblem(state.workers),
          },
          metrics: async () => `${await telemetry.metrics.text()}\n${await sdk.text()}`,
        });
  const ended = new AbortController();
  const asking = Object.values(dependencies).map((dependency) => dependency.run(ended.signal));
  return {
    address: server?.address,
    async close() {
      ended.abort();
      await Promise.all(asking);
      await server?.close();
    },
  };
}

function startWorkers(
  { config, log, telemetry, hub }: Parts,
  spokes: SpokeAccess,
  connection: NativeConnection,
): Promise<readonly Worker[]> {
  const noteForCollection = collectAfterBursts(collectGarbage);
  return createWorkers({
    connection,
    namespace: temporalSettings().namespace,
    dependencies: composeActivities(config, { hub, spokes, log, drift: telemetry.drift }),
    workflowBundle: config.workflowBundle,
    maxCachedWorkflows: config.maxCachedWorkflows,
    shutdownGraceMs: config.shutdownGraceMs,
    observe(end) {
      telemetry.activities(end);
      noteForCollection(end);
    },
  });
}

/** Only with --expose-gc, as in the image. */
function collectGarbage(): void {
  void globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
}
