import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTemporal } from '../../../dev/temporal/start-temporal.ts';
import { childrenOf, foreignPeersOf } from '../../support/processes.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-temporal-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const serverPids = async (): Promise<readonly number[]> =>
  (await childrenOf(process.pid))
    .filter(({ command }) => command.includes('start-dev'))
    .map(({ pid }) => pid);

describe('startTemporal', () => {
  test('serves our namespace with its search attributes, keeps them in the file, and serves the UI', async () => {
    const dbFile = join(folder, 'temporal.db');
    const first = await startTemporal({ dbFile });
    expect(first.uiAddress).toBeUndefined();
    await startWorkflow(first, 'kept');
    await first.stop();

    const second = await startTemporal({ dbFile, ui: true });
    expect((await fetch(second.uiAddress ?? '')).status).toBe(200);
    expect(await searchAttributesOf(second, 'kept')).toEqual({ KnSpoke: ['spoke-1'] });
    for (const pid of await serverPids()) expect(await foreignPeersOf(pid)).toEqual([]);
    await second.stop();
    expect(await serverPids()).toEqual([]);
  });

  test('runs beside another one', async () => {
    const servers = await Promise.all([startTemporal(), startTemporal()]);
    expect(new Set(servers.map(({ address }) => address)).size).toBe(2);
    await Promise.all(servers.map((server) => server.stop()));
    expect(await serverPids()).toEqual([]);
  });
});

interface Server {
  readonly address: string;
  readonly namespace: string;
}

async function withClient<T>(
  { address, namespace }: Server,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection, namespace }));
  } finally {
    await connection.close();
  }
}

function startWorkflow(server: Server, workflowId: string): Promise<unknown> {
  const searchAttributes = { KnSpoke: ['spoke-1'] };
  return withClient(server, (client) =>
    client.workflow.start('unserved', { workflowId, taskQueue: 'none', searchAttributes }),
  );
}

function searchAttributesOf(server: Server, workflowId: string): Promise<unknown> {
  return withClient(
    server,
    async (client) => (await client.workflow.getHandle(workflowId).describe()).searchAttributes,
  );
}
