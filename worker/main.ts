import { createClusterClient } from '../adapters/kubernetes/http-cluster-client.ts';
import { loadHubConnection } from '../adapters/kubernetes/hub-connection.ts';
import { createLogger } from '../adapters/telemetry/logger.ts';
import { openSpokes } from '../adapters/spokes/open-spokes.ts';
import { temporalSettings } from '../adapters/temporal/connection.ts';
import { connectWorker } from '../adapters/temporal/worker-connection.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { messageOf } from '../domain/errors.ts';
import { composeActivities } from './composition.ts';
import { parseWorkerConfig } from './config.ts';
import { createWorkers } from './create-workers.ts';
import { requireSearchAttributes } from './require-search-attributes.ts';

async function main(): Promise<void> {
  const warnings: string[] = [];
  const config = parseWorkerConfig(process.argv.slice(2), process.env, (warning) => warnings.push(warning));
  const log = createLogger('worker', config.logLevel);
  for (const warning of warnings) log.warn({}, warning);
  log.info({}, `Remote deployments poll interval: ${String(config.pollIntervalMs / 1_000)}s`);
  const hub = createClusterClient(loadHubConnection(config.kubeconfig), {
    fieldManager: wireNames.fieldManager,
  });
  const spokes = await openSpokes({ hub, log, providerFile: config.providerFile });
  const connection = await connectWorker();
  try {
    const dependencies = composeActivities(config, { hub, spokes, log });
    const { namespace } = temporalSettings();
    await requireSearchAttributes(connection, { namespace, log });
    const { workflowBundle } = config;
    const workers = await createWorkers({ connection, namespace, dependencies, workflowBundle });
    log.info({ hub: hub.server, namespace }, 'ready');
    await Promise.all(workers.map((worker) => worker.run()));
  } finally {
    await connection.close();
    await spokes.close();
    await hub.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`worker: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
