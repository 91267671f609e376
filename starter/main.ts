import { createClusterClient } from '../adapters/kubernetes/http-cluster-client.ts';
import { loadHubConnection } from '../adapters/kubernetes/hub-connection.ts';
import { createLogger } from '../adapters/telemetry/logger.ts';
import { connectClient } from '../adapters/temporal/connection.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { messageOf } from '../domain/errors.ts';
import { parseStarterConfig } from './config.ts';
import { runStarter } from './run-starter.ts';

async function main(): Promise<void> {
  const config = parseStarterConfig(process.env);
  const log = createLogger('starter', config.logLevel);
  const hub = createClusterClient(loadHubConnection(config.kubeconfig), {
    fieldManager: wireNames.fieldManager,
  });
  const temporal = await connectClient();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new Error(signal)));
  log.info({ hub: hub.server }, 'watching the resources');
  try {
    const { hubId, sweepIntervalMs } = config;
    await runStarter({ hub, temporal, log, hubId, sweepIntervalMs }, stop.signal);
  } finally {
    await temporal.connection.close();
    await hub.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`starter: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
