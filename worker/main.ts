import { stopSignal } from '../adapters/operations/stop-signal.ts';
import { createLogger } from '../adapters/telemetry/logger.ts';
import { messageOf } from '../domain/errors.ts';
import { parseWorkerConfig } from './config.ts';
import { serveWorker } from './serve-worker.ts';

/** What may follow the grace period: cancelled activities end, connections are closed. */
const afterGraceMs = 25_000;

/**
 * What lives long and is cut from a pool, such as the names of protocols of a connection, holds all of it: 8 kB, as Node.js
 * had for years, in place of 64.
 */
Buffer.poolSize = 8_192;

async function main(): Promise<void> {
  const warnings: string[] = [];
  const sources = { args: process.argv.slice(2), environment: process.env };
  const config = parseWorkerConfig(sources, (warning) => warnings.push(warning));
  const log = createLogger('worker', config.logLevel);
  for (const warning of warnings) log.warn({}, warning);
  log.info({}, `Remote deployments poll interval: ${String(config.pollIntervalMs / 1_000)}s`);
  const stop = stopSignal({
    withinMs: config.shutdownGraceMs + afterGraceMs,
    onSignal: (name) =>
      log.info({}, `received ${name}, ending activities within ${String(config.shutdownGraceMs / 1_000)}s`),
  });
  await serveWorker(config, log, stop).catch((error: unknown) => {
    if (error !== stop.reason) throw error;
  });
  // An activity that was given up may still hold the process.
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`worker: ${messageOf(error)}\n`);
  process.exit(1);
});
