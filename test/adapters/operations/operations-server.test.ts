import { afterEach, describe, expect, test } from 'vitest';

import { startOperationsServer } from '../../../adapters/operations/operations-server.ts';
import type { OperationsServer } from '../../../adapters/operations/operations-server.ts';
import { createReachability } from '../../../adapters/operations/reachability.ts';
import { until } from '../../../dev/processes/until.ts';
import { ask } from '../../support/scrape.ts';

const servers: OperationsServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(problem: () => string | undefined): Promise<OperationsServer> {
  const server = await startOperationsServer({
    address: { host: '127.0.0.1', port: 0 },
    live: { itself: () => undefined },
    ready: { itself: () => undefined, other: problem },
    metrics: () => Promise.resolve('up 1\n'),
  });
  servers.push(server);
  return server;
}

describe('probes', () => {
  test('name each check and fail when one does', async () => {
    let problem: string | undefined = 'it is away';
    const { address } = await serve(() => problem);
    expect(await ask(address, '/readyz')).toEqual({
      status: 503,
      text: '[+]itself ok\n[-]other failed: it is away\n',
    });
    expect((await ask(address, '/healthz')).status).toBe(200);
    problem = undefined;
    expect(await ask(address, '/readyz?verbose')).toEqual({
      status: 200,
      text: '[+]itself ok\n[+]other ok\n',
    });
    expect(await ask(address, '/metrics')).toEqual({ status: 200, text: 'up 1\n' });
  });

  test('say what to do when the port is taken', async () => {
    const { address } = await serve(() => undefined);
    const port = Number(address.split(':')[1]);
    const second = startOperationsServer({
      address: { host: '127.0.0.1', port },
      live: {},
      ready: {},
      metrics: () => Promise.resolve(''),
    });
    await expect(second).rejects.toThrow(/cannot be served on .*EADDRINUSE.*set METRICS_BIND_ADDRESS/);
  });
});

describe('createReachability', () => {
  test('tells an outage and its end, and ends although a check hangs', async () => {
    let behaviour: 'answer' | 'fail' = 'fail';
    const stop = new AbortController();
    const reach = createReachability({
      name: 'the hub',
      intervalMs: 5,
      check: () => (behaviour === 'answer' ? Promise.resolve() : Promise.reject(new Error('refused'))),
    });
    const running = reach.run(stop.signal);
    await until('it is known', 5_000, async () =>
      reach.problem() === 'the hub does not answer: refused' ? true : undefined,
    );
    expect(reach.reachable).toBe(false);
    behaviour = 'answer';
    await until('it answers', 5_000, async () => (reach.reachable ? true : undefined));
    expect(reach.problem()).toBeUndefined();
    behaviour = 'fail';
    await until('it is away', 5_000, async () => (reach.reachable ? undefined : true));
    // It answered a moment ago: work may go on.
    expect(reach.problem()).toBeUndefined();
    stop.abort();
    await running;
    const hanging = createReachability({ name: 'x', check: () => new Promise(() => {}) });
    const aborted = new AbortController();
    const ended = hanging.run(aborted.signal);
    aborted.abort();
    await ended;
    expect(hanging.reachable).toBe(false);
  });
});
