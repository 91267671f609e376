import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { LogEntry } from '@temporalio/worker';

import type { Logger } from '../telemetry/logger.ts';

/** The metrics of the Temporal SDK of this process. */
export interface SdkMetrics {
  /** In the text format of Prometheus; empty when the SDK does not answer. */
  text(): Promise<string>;
}

export interface RuntimeSetup {
  readonly log: Logger;
  readonly metrics: boolean;
}

const attempts = 5;
const scrapeTimeoutMs = 5_000;

/**
 * Sets up the SDK of this process, once and before any connection: its logs go to `log`, its metrics to a loopback port of
 * its own, and signals are left to the caller.
 */
export async function installRuntime(setup: RuntimeSetup): Promise<SdkMetrics> {
  if (!setup.metrics) {
    install(setup.log, undefined);
    return { text: () => Promise.resolve('') };
  }
  for (let attempt = 1; ; attempt++) {
    const address = `127.0.0.1:${String(await freePort())}`;
    try {
      install(setup.log, address);
      return { text: () => scrape(address) };
    } catch (error) {
      // Somebody else may have taken the port in between.
      if (attempt === attempts) throw error;
    }
  }
}

function install(log: Logger, metricsAddress: string | undefined): void {
  const exporter = {
    bindAddress: metricsAddress ?? '',
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
  };
  Runtime.install({
    logger: new DefaultLogger('INFO', (entry) => forward(log, entry)),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      ...(metricsAddress === undefined
        ? {}
        : { metrics: { prometheus: exporter, attachServiceName: false } }),
    },
  });
}

function forward(log: Logger, { level, message, meta }: LogEntry): void {
  const { error, ...rest } = meta ?? {};
  const fields = error === undefined ? rest : { ...rest, err: error };
  if (level === 'ERROR') log.error(fields, message);
  else if (level === 'WARN') log.warn(fields, message);
  else if (level === 'INFO') log.info(fields, message);
  else log.debug(fields, message);
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function scrape(address: string): Promise<string> {
  try {
    const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(scrapeTimeoutMs) });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}
