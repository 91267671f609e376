import { createLogger } from '../adapters/telemetry/logger.ts';
import { stopSignal } from '../adapters/operations/stop-signal.ts';
import { messageOf } from '../domain/errors.ts';
import { parseStarterConfig } from './config.ts';
import { serveStarter } from './serve-starter.ts';

/** From SIGTERM to the end: giving back the Lease is all that takes time. */
const shutdownMs = 15_000;

async function main(): Promise<void> {
  const config = parseStarterConfig({ args: process.argv.slice(2), environment: process.env });
  const log = createLogger('starter', config.logLevel);
  const stop = stopSignal({
    withinMs: shutdownMs,
    onSignal: (name) => log.info({}, `received ${name}, ending`),
  });
  await serveStarter(config, log, stop).catch((error: unknown) => {
    if (error !== stop.reason) throw error;
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`starter: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
