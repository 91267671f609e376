import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { Connection } from '@temporalio/client';

import { searchAttributeTypes } from '../../workflows/search-attributes.ts';
import { freePort } from '../processes/free-port.ts';
import { onFreePort } from '../processes/on-free-port.ts';
import { temporaryFolder } from '../processes/reaper.ts';
import { startServerProcess } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';
import { findTemporal } from './find-temporal.ts';

export interface TemporalServer {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** `http://127.0.0.1:<port>`; undefined when headless. */
  readonly uiAddress: string | undefined;
  readonly namespace: string;
  readonly pid: number;
  /** Path of the `temporal` command. */
  readonly command: string;
  stop(): Promise<void>;
}

export interface TemporalOptions {
  /** Serve the web UI; default false. */
  readonly ui?: boolean;
  /** Keeps all state in this file; default: in memory. */
  readonly dbFile?: string;
  /** Settings of the server by name, values as JSON. */
  readonly dynamicConfig?: Readonly<Record<string, string>>;
}

const namespace = 'knative-fleet';

/**
 * Starts Temporal's development server on loopback, with our namespace and search attributes, and waits until it
 * answers. It ends with this process, however that ends.
 */
export async function startTemporal(options: TemporalOptions = {}): Promise<TemporalServer> {
  const command = await findTemporal();
  const folder = await temporaryFolder();
  try {
    return await onFreePort((port) => startOnPort({ ...options, command, folder }, port));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startOnPort(
  options: TemporalOptions & { command: string; folder: string },
  port: number,
): Promise<TemporalServer> {
  const { command, folder } = options;
  const uiPort = options.ui === true ? await freePort() : undefined;
  const server = await startServerProcess({
    command,
    args: flagsOf(options, port, uiPort),
    // The server would ask its maker for newer versions.
    env: { TEMPORAL_VERSION_CHECK_DISABLED: '1' },
    logFile: join(folder, 'temporal.log'),
  });
  const address = `127.0.0.1:${String(port)}`;
  try {
    await until('the Temporal server is ready', 60_000, () => answers(address), server.gone);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    address,
    uiAddress: uiPort === undefined ? undefined : `http://127.0.0.1:${String(uiPort)}`,
    namespace,
    pid: server.pid,
    command,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function flagsOf(
  { dbFile, dynamicConfig = {} }: TemporalOptions,
  port: number,
  uiPort: number | undefined,
): string[] {
  return [
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--port=${String(port)}`,
    ...(uiPort === undefined ? ['--headless'] : ['--ui-ip=127.0.0.1', `--ui-port=${String(uiPort)}`]),
    ...(dbFile === undefined ? [] : [`--db-filename=${resolve(dbFile)}`]),
    `--namespace=${namespace}`,
    '--log-level=warn',
    // Timers and retry delays of the server are up to a second late by default.
    '--dynamic-config-value=history.timerProcessorMaxTimeShift="1ms"',
    '--dynamic-config-value=frontend.enableServerVersionCheck=false',
    ...Object.entries(dynamicConfig).map(([name, value]) => `--dynamic-config-value=${name}=${value}`),
    ...Object.entries(searchAttributeTypes).map(([name, type]) => `--search-attribute=${name}=${type}`),
  ];
}

async function answers(address: string): Promise<true | undefined> {
  const connection = await Connection.connect({ address, connectTimeout: 1_000 });
  try {
    const found = await connection.operatorService.listSearchAttributes({ namespace });
    const registered = found.customAttributes ?? {};
    return Object.keys(searchAttributeTypes).every((name) => name in registered) ? true : undefined;
  } finally {
    await connection.close();
  }
}
