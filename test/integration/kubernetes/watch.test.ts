import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { ClusterClient, WatchEvent } from '../../../adapters/kubernetes/cluster-client.ts';
import type { TcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { startTcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { object, ownNamespace, spoke, spokeClient } from './spoke-client.ts';

let writer: ClusterClient;
let namespace: string;
beforeAll(async () => {
  writer = spokeClient();
  namespace = await ownNamespace(writer);
});
afterAll(() => writer.close());

let proxy: TcpProxy;
let reader: ClusterClient;
let stop: AbortController;
let watching: Promise<void>;
let syncs: number;
let interruptions: number;
/** Name to the value of `data.step`, as a consumer of the events knows it. */
let known: Map<string, string>;
/** Every value in the order of its coming. */
let told: string[];

beforeEach(async () => {
  const target = new URL(spoke().server);
  proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  const server = `https://127.0.0.1:${String(proxy.port)}`;
  reader = spokeClient({}, { server, limits: { headersTimeoutMs: 3000, circuitOpenMs: 500 } });
  stop = new AbortController();
  [syncs, interruptions] = [0, 0];
  known = new Map();
  told = [];
});
afterEach(async () => {
  stop.abort();
  await watching;
  await reader.close();
  await proxy.stop();
});

async function watch(label: string): Promise<void> {
  await write(label, 'first', 0);
  const events = reader.watch({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace,
    labelSelector: `watch=${label}`,
    signal: stop.signal,
    onInterruption: () => (interruptions += 1),
  });
  watching = (async () => {
    for await (const event of events) take(event);
  })();
  await expect.poll(() => syncs).toBe(1);
}

function take(event: WatchEvent): void {
  if (event.type === 'SYNC') {
    syncs += 1;
    known = new Map(event.objects.map((item) => [String(item.metadata.name), stepOf(item)]));
    return;
  }
  const name = String(event.object.metadata.name);
  told.push(stepOf(event.object));
  if (event.type === 'DELETED') known.delete(name);
  else known.set(name, stepOf(event.object));
}

function stepOf(item: object): string {
  return (item as { data: { step: string } }).data.step;
}

async function write(label: string, name: string, step: number): Promise<void> {
  const metadata = { name: `${label}-${name}`, namespace, labels: { watch: label } };
  await writer.apply(object('v1', 'ConfigMap', metadata, { data: { step: String(step) } }));
}

const faults: Record<string, () => Promise<void> | void> = {
  'was reset': () => proxy.resetAll(),
  'was reset while new connections are refused for a while': async () => {
    proxy.refuse(true);
    proxy.resetAll();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    setTimeout(() => proxy.refuse(false), 1500);
  },
};

describe('a watch on a real server', () => {
  test.each(Object.entries(faults))('loses no event when its connection %s', async (what, fault) => {
    const label = what.replaceAll(' ', '-').slice(0, 40);
    await watch(label);
    await write(label, 'first', 1);
    await expect.poll(() => told).toEqual(['1']);
    await fault();
    for (let step = 2; step <= 5; step++) await write(label, 'first', step);
    await write(label, 'second', 6);
    await writer.delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: `${label}-second` });
    await expect.poll(() => told, { timeout: 30_000 }).toEqual(['1', '2', '3', '4', '5', '6', '6']);
    expect([...known]).toEqual([[`${label}-first`, '5']]);
    expect(syncs).toBe(1);
    expect(interruptions).toBeGreaterThan(0);
  });

  test('notices within 20 s that its connection is dead, and loses no event', async () => {
    await watch('frozen');
    proxy.blackHole(true);
    const frozenAt = performance.now();
    await write('frozen', 'first', 1);
    await expect.poll(() => interruptions, { timeout: 40_000, interval: 100 }).toBeGreaterThan(0);
    expect(performance.now() - frozenAt).toBeLessThan(20_000);
    proxy.blackHole(false);
    await write('frozen', 'first', 2);
    await expect.poll(() => known.get('frozen-first'), { timeout: 40_000 }).toBe('2');
    expect(told).toEqual(['1', '2']);
  });

  test('tells metadata only where that is asked for', async () => {
    await write('metadata', 'first', 1);
    const labelSelector = 'watch=metadata';
    const options = { apiVersion: 'v1', kind: 'ConfigMap', namespace, labelSelector, metadataOnly: true };
    watching = Promise.resolve();
    const events = reader.watch({ ...options, signal: stop.signal })[Symbol.asyncIterator]();
    const sync = (await events.next()).value as { objects: readonly object[] };
    const metadata = { name: 'metadata-first', namespace, labels: { watch: 'metadata' } };
    const partial = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: expect.objectContaining(metadata) as object,
    };
    expect(sync).toEqual({ type: 'SYNC', objects: [partial] });
    expect(sync.objects[0]).not.toHaveProperty('metadata.managedFields');
    await write('metadata', 'first', 2);
    expect((await events.next()).value).toEqual({ type: 'MODIFIED', object: partial });
    await events.return?.();
  });
});
