import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { hideGroupAfterCrd, statusAnswer } from '../../dev/fault-proxy/http-fault.ts';
import type { HttpProxy } from '../../dev/fault-proxy/start-http-proxy.ts';
import { startHttpProxy } from '../../dev/fault-proxy/start-http-proxy.ts';
import type { FakeApiServer } from '../adapters/kubernetes/fake-api-server.ts';
import { configMap, json, startFakeApiServer } from '../adapters/kubernetes/fake-api-server.ts';
import { clientOf, onePath, oneRef } from '../adapters/kubernetes/client-under-test.ts';
import { makeCertificates } from '../../dev/certificates/make-certificates.ts';

const certificates = await makeCertificates(['IP:127.0.0.1']);

let behind: FakeApiServer;
let proxy: HttpProxy;

beforeEach(async () => {
  behind = await startFakeApiServer({ protocol: 'h2', certificate: certificates.server });
  behind.on(onePath, json(200, configMap('one')));
  proxy = await startHttpProxy({
    target: { server: behind.server, caPem: certificates.authority },
    certificate: certificates.server,
    prefix: '/clusters/one',
  });
});

afterEach(async () => {
  await proxy.stop();
  await behind.stop();
});

/** Over HTTP/1.1, below the prefix. */
async function ask(path: string, method = 'GET'): Promise<{ answer: IncomingMessage; body: string }> {
  const call = request(`${proxy.server}${path}`, { method, ca: certificates.authority, agent: false });
  // A reset is told to both halves.
  call.on('error', () => undefined);
  const [answer] = (await once(call.end(), 'response')) as [IncomingMessage];
  return { answer, body: await text(answer) };
}

describe('startHttpProxy', () => {
  test('serves what is behind it under its prefix, over both protocols, and counts by path', async () => {
    const client = clientOf({ server: proxy.server, certificateAuthority: certificates.authority });
    await expect(client.get(oneRef)).resolves.toMatchObject({ metadata: { name: 'one' } });
    await client.close();
    expect((await ask(onePath)).answer.statusCode).toBe(200);
    expect(proxy.requests.filter(({ path }) => path === onePath)).toEqual([
      { method: 'GET', path: onePath, protocol: 'h2', status: 200 },
      { method: 'GET', path: onePath, protocol: 'http/1.1', status: 200 },
    ]);
    expect(behind.requests.every(({ url }) => !url.includes('/clusters/'))).toBe(true);
  });

  test('answers 404 outside of its prefix and remembers what was asked', async () => {
    const call = request(`https://127.0.0.1:${String(proxy.port)}/version`, {
      ca: certificates.authority,
      agent: false,
    });
    const [answer] = (await once(call.end(), 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(404);
    expect(proxy.strays).toEqual(['GET /version']);
  });

  test('answers in place of the server while a fault is in force', async () => {
    proxy.inject(({ path }) =>
      path === onePath ? statusAnswer(429, 'TooManyRequests', { 'retry-after': '7' }) : undefined,
    );
    const { answer, body } = await ask(onePath);
    expect(answer).toMatchObject({ statusCode: 429, headers: { 'retry-after': '7' } });
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: 429 });
    expect((await ask('/version')).answer.statusCode).toBe(200);
    proxy.inject(undefined);
    expect((await ask(onePath)).answer.statusCode).toBe(200);
  });

  test('sends half of an answer, properly ended or cut by a reset', async () => {
    const whole = (await ask(onePath)).body;
    proxy.inject(() => ({ type: 'truncate' }));
    expect((await ask(onePath)).body).toBe(whole.slice(0, Math.ceil(whole.length / 2)));
    proxy.inject(() => ({ type: 'reset' }));
    await expect(ask(onePath)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('hides an API group for a while after its CRD was written', async () => {
    const path = '/apis/apps/v1/deployments';
    behind.on(path, json(200, {}));
    proxy.inject(hideGroupAfterCrd('apps', 60_000));
    expect((await ask(path)).answer.statusCode).toBe(200);
    await ask('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.apps', 'PATCH');
    expect(await ask(path)).toMatchObject({ answer: { statusCode: 404 }, body: '404 page not found\n' });
    expect(JSON.parse((await ask('/apis')).body)).toMatchObject({ items: [] });
  });

  test('takes other tokens than the server behind, and refuses those that it does not know', async () => {
    proxy.exchangeTokens((token) => (token === 'secret-token' ? 'real' : undefined));
    const client = clientOf({ server: proxy.server, certificateAuthority: certificates.authority });
    await client.get(oneRef);
    await client.close();
    expect(behind.requests.at(-1)?.headers.authorization).toBe('Bearer real');
    proxy.exchangeTokens(() => undefined);
    const refused = clientOf({ server: proxy.server, certificateAuthority: certificates.authority });
    await expect(refused.get(oneRef)).rejects.toMatchObject({ kind: 'RemoteClientCreationFailed' });
    await refused.close();
  });

  test('presents another certificate from the next connection on', async () => {
    proxy.useCertificate(certificates.expired);
    await expect(ask(onePath)).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' });
  });
});
