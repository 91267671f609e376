import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createCircuitBreaker } from '../../../adapters/kubernetes/circuit-breaker.ts';
import { freePort } from '../../../dev/processes/free-port.ts';
import { clientOf, onePath, oneRef } from './client-under-test.ts';
import { configMap, json, startFakeApiServer, status } from './fake-api-server.ts';

const limits = { circuitFailures: 3, circuitOpenMs: 30_000 };
const server = 'https://spoke.example';

describe('createCircuitBreaker', () => {
  beforeEach(
    () => void vi.useFakeTimers({ now: new Date('2026-11-30T10:00:00Z'), toFake: ['Date', 'performance'] }),
  );
  afterEach(() => void vi.useRealTimers());

  const failTimes = (breaker: ReturnType<typeof createCircuitBreaker>, times: number) => {
    for (let time = 0; time < times; time++) breaker.enter().failed(new Error('refused'), 'ECONNREFUSED');
  };

  test('opens after three failures in a row and says since when and until when', () => {
    const breaker = createCircuitBreaker(server, limits);
    failTimes(breaker, 2);
    breaker.enter().succeeded();
    vi.advanceTimersByTime(1000);
    failTimes(breaker, 2);
    expect(breaker.state).toBe('closed');
    vi.advanceTimersByTime(10_000);
    failTimes(breaker, 1);
    expect(breaker.state).toBe('open');
    expect(() => breaker.enter()).toThrow(
      'https://spoke.example has not answered since 2026-11-30T10:00:01Z, 3 times in a row (ECONNREFUSED); ' +
        'not tried again before 2026-11-30T10:00:41Z',
    );
  });

  test('counts one failed connection once, however many calls waited for it', () => {
    const breaker = createCircuitBreaker(server, limits);
    const error = new Error('refused');
    const passes = Array.from({ length: 16 }, () => breaker.enter());
    for (const pass of passes) pass.failed(error, 'ECONNREFUSED');
    expect(breaker.state).toBe('closed');
  });

  test('lets one call try when the time is over, and opens again or closes by how it ends', () => {
    const breaker = createCircuitBreaker(server, limits);
    failTimes(breaker, 3);
    vi.advanceTimersByTime(30_000);
    expect(breaker.state).toBe('half-open');
    const probe = breaker.enter();
    expect(() => breaker.enter()).toThrow(/one call tries it now/);
    probe.failed(new Error('refused'), 'ECONNREFUSED');
    expect(breaker.state).toBe('open');
    vi.advanceTimersByTime(30_000);
    breaker.enter().succeeded();
    expect(breaker.state).toBe('closed');
    failTimes(breaker, 2);
    expect(breaker.state).toBe('closed');
  });

  test('lets the next call try when the trying one was given up', () => {
    const breaker = createCircuitBreaker(server, limits);
    failTimes(breaker, 3);
    vi.advanceTimersByTime(30_000);
    breaker.enter().abandoned();
    expect(() => breaker.enter()).not.toThrow();
  });

  test('forgets everything at a reset', () => {
    const breaker = createCircuitBreaker(server, limits);
    failTimes(breaker, 3);
    breaker.reset();
    failTimes(breaker, 2);
    expect(breaker.state).toBe('closed');
  });
});

describe('the circuit of a client', () => {
  test('opens when nobody listens, fails at once, and tries again after a reset', async () => {
    const api = clientOf({ server: `http://127.0.0.1:${String(await freePort())}` });
    for (let time = 0; time < 3; time++) {
      await expect(api.serverVersion()).rejects.toMatchObject({
        message: expect.stringMatching(/cannot be reached/) as string,
      });
    }
    const open = {
      kind: 'SpokeUnreachable',
      message: expect.stringMatching(/3 times in a row .*ECONNREFUSED/) as string,
    };
    await expect(api.serverVersion()).rejects.toMatchObject(open);
    await expect(api.get(oneRef)).rejects.toMatchObject(open);
    api.resetCircuit();
    await expect(api.serverVersion()).rejects.toMatchObject({
      message: expect.stringMatching(/cannot be reached/) as string,
    });
    await api.close();
  });

  test('stays closed while the server answers with errors, and while callers give up', async () => {
    const fake = await startFakeApiServer({ protocol: 'http' });
    const api = clientOf(fake);
    fake.on('/version', json(500, status(500, 'InternalError')));
    for (let time = 0; time < 5; time++) {
      await expect(api.serverVersion()).rejects.toMatchObject({ kind: 'ApiTransient' });
    }
    fake.on('/version', () => undefined);
    for (let time = 0; time < 5; time++) {
      await expect(api.serverVersion({ signal: AbortSignal.timeout(20) })).rejects.toThrow('timeout');
    }
    fake.on(onePath, json(200, configMap('one')));
    await expect(api.get(oneRef)).resolves.toBeDefined();
    await api.close();
    await fake.stop();
  });
});
