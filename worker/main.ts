import { createClusterClient } from '../adapters/kubernetes/http-cluster-client.ts';
import { loadHubConnection } from '../adapters/kubernetes/hub-connection.ts';
import { createLogger } from '../adapters/telemetry/logger.ts';
import { connectWorker, temporalSettings } from '../adapters/temporal/connection.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { messageOf } from '../domain/errors.ts';
import { composeActivities } from './composition.ts';
import { composeSpokes } from './compose-spokes.ts';
import { parseWorkerConfig } from './config.ts';
import { createWorkers } from './create-workers.ts';

async function main(): Promise<void> {
  const warnings: string[] = [];
  const config = parseWorkerConfig(process.argv.slice(2), process.env, (warning) => warnings.push(warning));
  const log = createLogger('worker', config.logLevel);
  for (const warning of warnings) log.warn({}, warning);
  log.info({}, `Remote deployments poll interval: ${String(config.pollIntervalMs / 1_000)}s`);
  const hub = createClusterClient(loadHubConnection(config.kubeconfig), {
    fieldManager: wireNames.fieldManager,
  });
  const spokes = await composeSpokes(config, { hub, log });
  const connection = await connectWorker();
  try {
    const dependencies = composeActivities(config, { hub, spokes, log });
    const { namespace } = temporalSettings();
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
