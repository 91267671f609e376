import type { ServerResponse } from 'node:http';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { ApiRequest } from '../../../adapters/kubernetes/api-request.ts';
import type { ApiRequests } from '../../../adapters/kubernetes/api-requests.ts';
import { createApiRequests } from '../../../adapters/kubernetes/api-requests.ts';
import type { ClusterClient, WatchEvent, WatchOptions } from '../../../adapters/kubernetes/cluster-client.ts';
import type { Discovery } from '../../../adapters/kubernetes/discovery.ts';
import { defaultLimits } from '../../../adapters/kubernetes/transport.ts';
import { watchObjects } from '../../../adapters/kubernetes/watch.ts';
import { clientOf, listPath, shortLimits } from './client-under-test.ts';
import type { Answer, FakeApiServer, ReceivedRequest } from './fake-api-server.ts';
import { configMap, inTurn, json, startFakeApiServer, status, text } from './fake-api-server.ts';

let server: FakeApiServer;
let api: ClusterClient;
let stop: AbortController;
let events: WatchEvent[];
let interruptions: unknown[];
let watching: Promise<void>;

beforeEach(async () => {
  server = await startFakeApiServer({ protocol: 'http' });
  api = clientOf(server);
  stop = new AbortController();
  events = [];
  interruptions = [];
  watching = Promise.resolve();
});
afterEach(async () => {
  stop.abort();
  await watching;
  await api.close();
  await server.stop();
});

function watch(options: Partial<WatchOptions> = {}): void {
  const onInterruption = (error: unknown) => interruptions.push(error);
  const all = { apiVersion: 'v1', kind: 'ConfigMap', onInterruption, ...options, signal: stop.signal };
  watching = (async () => {
    for await (const event of api.watch(all)) events.push({ ...event });
  })();
}

const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const added = (name: string, resourceVersion: string) => line('ADDED', configMap(name, { resourceVersion }));
const bookmark = (resourceVersion: string, more: object = {}) =>
  line('BOOKMARK', { kind: 'ConfigMap', metadata: { resourceVersion, ...more } });
const end = (resourceVersion: string) =>
  bookmark(resourceVersion, { annotations: { 'k8s.io/initial-events-end': 'true' } });
const configMaps = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs: [],
  preferred: true,
};
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const gone = status(410, 'Expired', 'too old resource version');

/** Sends the lines and then ends, breaks or keeps the stream. */
function stream(lines: readonly string[], then: 'end' | 'break' | 'keep' = 'keep'): Answer {
  return (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(lines.join(''));
    if (then === 'end') response.end();
    if (then === 'break') setTimeout(() => response.socket?.resetAndDestroy(), 20);
  };
}

function watches(): readonly ReceivedRequest[] {
  return server.requests.filter(({ url }) => url.includes('watch=1'));
}

const queryOf = (request: ReceivedRequest | undefined) =>
  Object.fromEntries(new URL(request?.url ?? '', 'http://x').searchParams);

/** `SYNC a,b` or `ADDED a` */
const told = () =>
  events.map((event) =>
    event.type === 'SYNC'
      ? `SYNC ${event.objects.map((object) => object.metadata.name).join(',')}`
      : `${event.type} ${String(event.object.metadata.name)}`,
  );

describe('a watch', () => {
  test('tells the whole set first and changes from then on, without managedFields', async () => {
    const change = configMap('a', { resourceVersion: '12', managedFields: [{ manager: 'x' }] });
    const lines = [
      added('a', '1'),
      added('b', '2'),
      added('c', '3'),
      line('DELETED', configMap('b')),
      end('10'),
      line('MODIFIED', change),
      line('DELETED', configMap('c')),
    ];
    server.on(listPath, stream(lines));
    watch({ labelSelector: 'x=y', namespace: '' });
    await expect.poll(told).toEqual(['SYNC a,c', 'MODIFIED a', 'DELETED c']);
    expect(events[1]).toEqual({
      type: 'MODIFIED',
      object: { ...configMap('a', { resourceVersion: '12' }), apiVersion: 'v1', kind: 'ConfigMap' },
    });
    expect(queryOf(watches()[0])).toMatchObject({
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
      labelSelector: 'x=y',
    });
  });

  test.each(['end', 'break'] as const)(
    'goes on after a stream that came to an %s, from the last bookmark',
    async (how) => {
      const lines = [added('a', '1'), end('10'), bookmark('20')];
      server.on(listPath, inTurn(stream(lines, how), stream([added('b', '21')])));
      watch();
      await expect.poll(told).toEqual(['SYNC a', 'ADDED b']);
      expect(queryOf(watches()[1])).toMatchObject({ resourceVersion: '20' });
      expect(queryOf(watches()[1])).not.toHaveProperty('sendInitialEvents');
    },
  );

  test('drops a line that was cut and an initial set that was not complete', async () => {
    const broken = stream([added('gone', '1'), '{"type":"ADDED","obj'], 'break');
    server.on(listPath, inTurn(broken, stream([added('a', '1'), end('10')])));
    watch();
    await expect.poll(told).toEqual(['SYNC a']);
    expect(interruptions).toMatchObject([{ kind: 'ApiTransient' }]);
  });

  test.each<[string, Answer]>([
    ['as an event', stream([line('ERROR', gone)])],
    ['as a status', json(410, gone)],
  ])('starts over when the server forgot the place and says so %s', async (_, answer) => {
    const first = stream([added('a', '1'), end('10')], 'end');
    server.on(listPath, inTurn(first, answer, stream([added('b', '50'), end('60')])));
    watch();
    await expect.poll(told, { timeout: 5000 }).toEqual(['SYNC a', 'SYNC b']);
    expect(queryOf(watches()[1])).toMatchObject({ resourceVersion: '10' });
    expect(queryOf(watches()[2])).toMatchObject({ sendInitialEvents: 'true' });
  });

  test.each<[string, Answer]>([
    ['refuses', json(422, status(422, 'Invalid', 'sendInitialEvents is forbidden'))],
    ['ignores', stream([added('a', '1'), bookmark('2'), bookmark('3')])],
  ])('reads a list in pages first where a server %s to send the initial set', async (_, answer) => {
    const page = (names: readonly string[], metadata: object) =>
      json(200, { kind: 'ConfigMapList', metadata, items: names.map((name) => configMap(name)) });
    const watchAnswer = inTurn(answer, stream([added('c', '41')]));
    const listAnswer = inTurn(
      page(['a'], { continue: 'more' }),
      json(410, status(410, 'Expired')),
      page(['a'], { continue: 'again' }),
      page(['b'], { resourceVersion: '40' }),
    );
    server.on(listPath, (response, request) =>
      (request.url.includes('watch=1') ? watchAnswer : listAnswer)(response, request),
    );
    watch();
    await expect.poll(told, { timeout: 5000 }).toEqual(['SYNC a,b', 'ADDED c']);
    expect(queryOf(watches()[1])).toMatchObject({ resourceVersion: '40' });
    expect(server.requests.filter(({ url }) => url.includes('continue=again'))).toHaveLength(1);
  });

  test('never gives up, whatever the server answers, and does not rush', async () => {
    const answers = [
      text(200, '<html>\n'),
      json(500, status(500, 'InternalError')),
      text(200, '{"kind":"ConfigMapList"}\n'),
      stream([added('a', '1'), end('10')]),
    ];
    server.on(listPath, inTurn(...answers));
    watch();
    await expect.poll(told, { timeout: 15_000 }).toEqual(['SYNC a']);
    expect(interruptions.length).toBe(3);
  });

  test('does not rush when streams end as soon as they begin', async () => {
    server.on(listPath, stream([added('a', '1'), end('10')], 'end'));
    watch();
    await expect.poll(told).toEqual(['SYNC a']);
    await sleep(1000);
    expect(watches().length).toBeLessThan(5);
  });

  test('waits for a kind that is not there yet', async () => {
    watch({ apiVersion: 'new.example/v1', kind: 'Thing' });
    await expect.poll(() => interruptions).toMatchObject([{ kind: 'KindUnavailable' }]);
    expect(told()).toEqual([]);
  });

  test('looks at the whole set again after a while even when all is well', async () => {
    vi.useFakeTimers();
    try {
      const asked: (string | undefined)[] = [];
      const discovery = { resource: () => Promise.resolve(configMaps) } as unknown as Discovery;
      const requests = {
        async *lines({ query }: ApiRequest) {
          asked.push(query?.['resourceVersion']);
          if (query?.['resourceVersion'] === undefined) yield JSON.parse(end('10')) as unknown;
          await sleep(300_000);
        },
      } as unknown as ApiRequests;
      const options = { apiVersion: 'v1', kind: 'ConfigMap', signal: stop.signal };
      watching = (async () => {
        for await (const event of watchObjects({ requests, discovery }, options)) events.push({ ...event });
      })();
      await vi.advanceTimersByTimeAsync(14 * 60_000);
      expect(asked).toEqual([undefined, '10', '10']);
      await vi.advanceTimersByTimeAsync(17 * 60_000);
      expect(told()).toEqual(['SYNC ', 'SYNC ']);
      stop.abort();
      await vi.advanceTimersByTimeAsync(300_000);
    } finally {
      vi.useRealTimers();
    }
  });

  test('gives up a stream that is silent', async () => {
    server.on(listPath, stream([end('10')]));
    const limits = { ...defaultLimits, ...shortLimits };
    const settings = { server: server.server, credential: () => Promise.resolve({}) };
    const requests = createApiRequests(settings, limits, { userAgent: 'test' });
    const request = { method: 'GET', path: listPath, object: 'watch' } as const;
    const lines: unknown[] = [];
    const reading = async () => {
      for await (const read of requests.lines(request, 200)) lines.push(read);
    };
    await expect(reading()).rejects.toThrow(/nothing came for 0\.2 s/);
    expect(lines).toHaveLength(1);
    await requests.close();
  });

  test('lets go of the whole set when the next event is asked for, so that waiting holds no object', async () => {
    server.on(listPath, stream([added('a', '1'), end('10'), line('MODIFIED', configMap('a'))]));
    const signal = stop.signal;
    const reader = api.watch({ apiVersion: 'v1', kind: 'ConfigMap', signal })[Symbol.asyncIterator]();
    const first = (await reader.next()).value as { objects: readonly object[] };
    const { objects } = first;
    expect((await reader.next()).value).toMatchObject({ type: 'MODIFIED' });
    expect(first.objects).toEqual([]);
    expect(objects).toHaveLength(1);
    await reader.return?.();
  });

  test('ends at once when its signal aborts, and when its reader leaves', async () => {
    server.on(listPath, stream([added('a', '1'), end('10')]));
    for await (const event of api.watch({ apiVersion: 'v1', kind: 'ConfigMap', signal: stop.signal })) {
      expect(event.type).toBe('SYNC');
      break;
    }
    watch();
    await expect.poll(told).toEqual(['SYNC a']);
    stop.abort();
    await expect(watching).resolves.toBeUndefined();
    expect(interruptions).toEqual([]);
  });
});
