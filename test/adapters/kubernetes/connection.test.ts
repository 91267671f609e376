import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';
import type { Certificates } from '../../../dev/certificates/make-certificates.ts';
import { makeCertificates } from '../../../dev/certificates/make-certificates.ts';
import { clientOf, listPath, onePath, oneRef, shortLimits } from './client-under-test.ts';
import type { FakeApiServer, FakeApiServerOptions } from './fake-api-server.ts';
import { configMap, json, startFakeApiServer } from './fake-api-server.ts';
import type { ConnectProxy } from './fake-connect-proxy.ts';
import { startConnectProxy } from './fake-connect-proxy.ts';

let certificates: Certificates;
let others: Certificates;
beforeAll(async () => {
  certificates = await makeCertificates(['IP:127.0.0.1', 'IP:::1', 'DNS:spoke.example']);
  others = await makeCertificates(['DNS:elsewhere.example']);
});

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function serve(options: Partial<FakeApiServerOptions> = {}): Promise<FakeApiServer> {
  const server = await startFakeApiServer({
    protocol: 'h2',
    certificate: certificates.server,
    ...options,
  });
  cleanups.push(() => server.stop());
  server.on(`${options.prefix ?? ''}${onePath}`, json(200, configMap('one')));
  return server;
}

async function proxy(...args: Parameters<typeof startConnectProxy>): Promise<ConnectProxy> {
  const started = await startConnectProxy(...args);
  cleanups.push(() => started.stop());
  return started;
}

function client(...args: Parameters<typeof clientOf>): ClusterClient {
  const [settings, options] = args;
  const made = clientOf({ certificateAuthority: certificates.authority, ...settings }, options);
  cleanups.push(() => made.close());
  return made;
}

describe('createClusterClient', () => {
  test('carries many requests at once on one HTTP/2 connection', async () => {
    const server = await serve();
    const api = client(server);
    await Promise.all(Array.from({ length: 40 }, () => api.get(oneRef)));
    expect(server.connections).toBe(1);
    expect(server.requests.every((request) => request.httpVersion === '2.0')).toBe(true);
  });

  test('speaks HTTP/1.1 where HTTP/2 is not offered, with a few connections', async () => {
    const server = await serve({ protocol: 'https' });
    const api = client({ server: server.server, limits: { inFlight: 4 } });
    await Promise.all(Array.from({ length: 40 }, () => api.get(oneRef)));
    expect(server.requests.every((request) => request.httpVersion === '1.1')).toBe(true);
    expect(server.connections).toBeGreaterThan(1);
    expect(server.connections).toBeLessThan(20);
  });

  test('puts the path of the server address in front of every request', async () => {
    const prefix = '/cluster-one/proxy';
    const server = await serve({ prefix });
    server.on(`${prefix}${listPath}`, (response, { url }) =>
      url.includes('watch=1')
        ? void response.writeHead(200).write('{"type":"ADDED","object":{"metadata":{"name":"one"}}}\n')
        : json(200, { kind: 'ConfigMapList', items: [] })(response, server.requests[0] as never),
    );
    const api = client({ server: `${server.server}${prefix}/` });
    await api.get(oneRef);
    await api.list('v1', 'ConfigMap');
    await api.serverVersion();
    const stop = new AbortController();
    const watching = api
      .watch({ apiVersion: 'v1', kind: 'ConfigMap', signal: stop.signal })
      [Symbol.asyncIterator]();
    const first = watching.next();
    await expect.poll(() => server.requests.filter(({ url }) => url.includes('watch=1')).length).toBe(1);
    stop.abort();
    await first;
    expect(server.requests.map(({ url }) => url.slice(0, prefix.length))).toEqual(
      server.requests.map(() => prefix),
    );
    expect(server.requests.some(({ url }) => url === `${prefix}${onePath}`)).toBe(true);
  });

  test('reaches an IPv6 address', async () => {
    const server = await serve({ host: '::1' });
    expect(server.server).toContain('[::1]');
    await expect(client(server).get(oneRef)).resolves.toMatchObject({ metadata: { name: 'one' } });
  });

  test('sends the token of the moment with each request, and no field of the body is lost', async () => {
    const server = await serve();
    let count = 0;
    const credential = () => Promise.resolve({ token: `token-${String(++count)}` });
    const api = client({ server: server.server, credential });
    await api.get(oneRef);
    server.on(onePath, json(201, configMap('one')));
    const object = { ...configMap('one'), spec: { from: [{ 'x-kubernetes-y': null, enum: [1] }] } };
    await expect(api.apply(object as never, { force: true })).resolves.toMatchObject({ created: true });
    const [, , read, applied] = server.requests;
    expect(read?.headers.authorization).not.toBe(applied?.headers.authorization);
    expect(applied?.headers.authorization).toBe(`Bearer token-${String(count)}`);
    expect(JSON.parse(applied?.body ?? '')).toEqual(object);
    expect(applied).toMatchObject({
      method: 'PATCH',
      url: `${onePath}?fieldManager=test&force=true`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
  });

  test('shows its client certificate, and the next one after it was renewed', async () => {
    const server = await serve({ clientAuthority: certificates.authority });
    const { certificate, key } = certificates.client;
    let credential: object = { clientCertificate: certificate, clientKey: key };
    const api = client({ server: server.server, credential: () => Promise.resolve(credential) });
    await api.get(oneRef);
    expect(server.requests.at(-1)?.clientName).toBe('worker');
    const renewed = certificates.server;
    credential = { clientCertificate: renewed.certificate, clientKey: renewed.key };
    await api.get(oneRef);
    expect(server.requests.at(-1)?.clientName).toBe('server');
  });

  test('closes its connection', async () => {
    const server = await serve();
    const api = client(server);
    await api.get(oneRef);
    await api.close();
    await expect(api.get(oneRef)).rejects.toMatchObject({ kind: 'RemoteClusterStale' });
    expect(server.connections).toBe(1);
  });
});

describe('trust', () => {
  test('refuses a server that another authority vouches for', async () => {
    const server = await serve();
    const api = client({ server: server.server, certificateAuthority: others.authority });
    await expect(api.get(oneRef)).rejects.toMatchObject({
      kind: 'RemoteClientCreationFailed',
      message: expect.stringContaining('cannot be trusted') as string,
    });
  });

  test('asks for the name of tls-server-name in the certificate', async () => {
    const server = await serve();
    const named = client({ server: server.server, tlsServerName: 'spoke.example' });
    await expect(named.get(oneRef)).resolves.toBeDefined();
    const misnamed = client({ server: server.server, tlsServerName: 'other.example' });
    await expect(misnamed.get(oneRef)).rejects.toMatchObject({ kind: 'RemoteClientCreationFailed' });
  });

  test.each([
    ['certificate authority', { certificateAuthority: '-----BEGIN CERTIFICATE-----\nbroken\n' }],
    [
      'client certificate',
      { credential: () => Promise.resolve({ clientCertificate: 'broken', clientKey: 'x' }) },
    ],
  ])('says that a broken %s cannot be used', async (_, settings) => {
    const server = await serve();
    await expect(client({ server: server.server, ...settings }).get(oneRef)).rejects.toMatchObject({
      kind: 'RemoteClientCreationFailed',
    });
  });

  test.each(['http://spoke.example:6443', 'spoke.example', 'ftp://spoke.example', ''])(
    'does not accept %j as an address',
    (server) => {
      expect(() => clientOf({ server })).toThrow(/is not an https:\/\/ URL/);
    },
  );
});

describe('proxies', () => {
  test.each(['http', 'https'] as const)('go through an %s proxy with its login', async (scheme) => {
    const server = await serve();
    const tunnel = await proxy('join', scheme === 'https' ? certificates.server : undefined);
    const proxyUrl = tunnel.url.replace('://', '://user:pass%40word@');
    const api = client({ server: server.server, proxyUrl });
    await Promise.all([api.get(oneRef), api.get(oneRef), api.get(oneRef)]);
    expect(tunnel.asked).toEqual([
      {
        target: new URL(server.server).host,
        authorization: `Basic ${Buffer.from('user:pass@word').toString('base64')}`,
      },
    ]);
    expect(server.requests.every((request) => request.httpVersion === '2.0')).toBe(true);
  });

  test('keeps certificates of the server apart from the proxy', async () => {
    const server = await serve();
    const tunnel = await proxy('join');
    const api = client({
      server: server.server,
      proxyUrl: tunnel.url,
      certificateAuthority: others.authority,
    });
    await expect(api.get(oneRef)).rejects.toMatchObject({ kind: 'RemoteClientCreationFailed' });
  });

  test.each([
    [407, /the proxy 127\.0\.0\.1:\d+ refused to connect to 127\.0\.0\.1:\d+: it answered 407/],
    ['say nothing', /the proxy 127\.0\.0\.1:\d+ did not answer within/],
  ] as const)('names the proxy when its answer is %s, and never its password', async (behaviour, message) => {
    const tunnel = await proxy(behaviour);
    const proxyUrl = tunnel.url.replace('://', '://user:hidden@');
    const api = client({ server: 'https://127.0.0.1:1', proxyUrl, limits: shortLimits });
    const failure = await api.get(oneRef).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: 'SpokeUnreachable',
      message: expect.stringMatching(message) as string,
    });
    expect(String(failure)).not.toContain('hidden');
  });

  test('refuses other kinds of proxies', () => {
    const credential = () => Promise.resolve({});
    const make = () =>
      createClusterClient(
        { server: 'https://127.0.0.1:1', proxyUrl: 'socks5://127.0.0.1:1', credential },
        { fieldManager: 'test' },
      );
    expect(make).toThrow(/only http:\/\/ and https:\/\/ proxies/);
  });
});
