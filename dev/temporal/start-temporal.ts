import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Connection } from '@temporalio/client';

import { freePort } from '../processes/free-port.ts';
import { logTail, startServerProcess } from '../processes/server-process.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';
import { findTemporal } from './find-temporal.ts';
import { searchAttributes } from './search-attributes.ts';

export interface TemporalServer {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** `http://127.0.0.1:<port>`; undefined when headless. */
  readonly uiAddress: string | undefined;
  readonly namespace: string;
  /** Path of the `temporal` command. */
  readonly command: string;
  stop(): Promise<void>;
}

const namespace = 'knative-fleet';

/** Starts Temporal's development server on loopback, with our namespace and search attributes, and waits until it answers. */
export async function startTemporal(options: { ui: boolean }): Promise<TemporalServer> {
  const command = await findTemporal();
  if (command === undefined) {
    throw new Error('no Temporal server: put `temporal` on PATH, or make Python 3 with venv available');
  }
  const folder = await mkdtemp(join(tmpdir(), 'knative-fleet-temporal-'));
  const logFile = join(folder, 'temporal.log');
  const port = await freePort();
  const uiPort = options.ui ? await freePort() : undefined;
  const server = await startServerProcess({ command, args: serverArgs(port, uiPort), logFile });
  const address = `127.0.0.1:${String(port)}`;
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until('Temporal answers', 60_000, () => answers(address, server));
  } catch (error) {
    const tail = await logTail(logFile);
    await stop();
    throw new Error(`${(error as Error).message}\n${tail}`);
  }
  const uiAddress = uiPort === undefined ? undefined : `http://127.0.0.1:${String(uiPort)}`;
  return { address, uiAddress, namespace, command, stop };
}

function serverArgs(port: number, uiPort: number | undefined): string[] {
  const attributes = Object.entries(searchAttributes).flatMap(([name, type]) => [
    '--search-attribute',
    `${name}=${type}`,
  ]);
  return [
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--port=${String(port)}`,
    ...(uiPort === undefined ? ['--headless'] : ['--ui-ip=127.0.0.1', `--ui-port=${String(uiPort)}`]),
    `--namespace=${namespace}`,
    '--log-level=warn',
    // Timers and retry delays of the server are up to a second late by default.
    '--dynamic-config-value',
    'history.timerProcessorMaxTimeShift="1ms"',
    ...attributes,
  ];
}

async function answers(address: string, server: ServerProcess): Promise<true | undefined> {
  const exited = await Promise.race([server.exited.then(() => true), Promise.resolve(false)]);
  if (exited) throw new Error('Temporal ended');
  const connection = await Connection.connect({ address, connectTimeout: 1_000 });
  try {
    const { namespaces } = await connection.workflowService.listNamespaces({});
    return namespaces.some((found) => found.namespaceInfo?.name === namespace) ? true : undefined;
  } finally {
    await connection.close();
  }
}
