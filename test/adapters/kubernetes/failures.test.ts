import { gzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import type { ConnectionSettings } from '../../../adapters/kubernetes/connection-settings.ts';
import type { RequestObservation } from '../../../adapters/kubernetes/api-request.ts';
import { startTcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { clientOf, listPath, onePath, oneRef, shortLimits } from './client-under-test.ts';
import type { Answer, FakeApiServer } from './fake-api-server.ts';
import { configMap, inTurn, json, startFakeApiServer, status, text } from './fake-api-server.ts';

let server: FakeApiServer;
let clients: ClusterClient[];
beforeEach(async () => {
  server = await startFakeApiServer({ protocol: 'http' });
  server.on(onePath, json(200, configMap('one')));
  clients = [];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.stop();
});

function client(settings: Partial<ConnectionSettings> = {}, onRequest?: (seen: RequestObservation) => void) {
  const made = clientOf({ server: server.server, ...settings }, onRequest === undefined ? {} : { onRequest });
  clients.push(made);
  return made;
}

const html = '<html><head><title>Sign in</title></head><body>secret</body></html>';
const typedPatch =
  'failed to create typed patch object (default/one; /v1, Kind=ConfigMap): .dota: field not declared in schema';
const forbidden = 'configmaps "one" is forbidden: User "x" cannot get resource "configmaps"';
const terminating = {
  causes: [{ reason: 'NamespaceTerminating', message: 'namespace a is being terminated' }],
};
const immutable = {
  causes: ['spec.template', 'spec.selector'].map((field) => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${'x'.repeat(700)}: field is immutable`,
    field,
  })),
};

describe('an answer that is no success', () => {
  test.each<[kind: string, what: string, answer: Answer, message: RegExp]>([
    [
      'RemoteClientCreationFailed',
      '401',
      json(401, status(401, 'Unauthorized')),
      /answered 401: Unauthorized$/,
    ],
    [
      'SpokeForbidden',
      '403',
      json(403, status(403, 'Forbidden', forbidden)),
      /cannot get resource "configmaps"/,
    ],
    ['SpokeForbidden', '403 of a proxy', text(403, html), /answered 403: an HTML page/],
    [
      'NamespaceTerminating',
      '403 in a terminating namespace',
      json(403, status(403, 'Forbidden', 'x', terminating)),
      /answered 403/,
    ],
    ['Conflict', '409', json(409, status(409, 'Conflict', 'the UID is another')), /the UID is another/],
    ['Conflict', '410', json(410, status(410, 'Expired')), /Expired/],
    ['ApplyRejected', '400', json(400, status(400, 'BadRequest', 'strict decoding')), /strict decoding/],
    ['ApplyRejected', '413', json(413, status(413, 'RequestEntityTooLarge')), /413/],
    ['ApplyRejected', '422', json(422, status(422, 'Invalid', 'field is immutable')), /immutable/],
    [
      'ApplyRejected',
      '422 for fields that cannot be changed, whose long values are left out',
      json(422, status(422, 'Invalid', `spec.template: ${'x'.repeat(700)}: field is immutable`, immutable)),
      /answered 422: spec\.template, spec\.selector cannot be changed: field is immutable$/,
    ],
    [
      'ApplyRejected',
      '500 for a field that is not in the schema',
      json(500, status(500, '', typedPatch)),
      /\.dota/,
    ],
    [
      'ApplyRejected',
      '500 for a wrong type',
      json(500, status(500, '', 'failed to convert new object (a): int-or-string')),
      /convert/,
    ],
    ['ApiTransient', '500', json(500, status(500, 'InternalError', 'etcdserver: leader changed')), /leader/],
    ['ApiTransient', '502 of a proxy', text(502, html), /answered 502: an HTML page/],
    ['ApiTransient', '503', json(503, status(503, 'ServiceUnavailable')), /503/],
    ['ApiTransient', '504', text(504, 'upstream request timeout\nmore'), /504: upstream request timeout$/],
    [
      'RemoteClientCreationFailed',
      'a redirect',
      text(302, html),
      /answered 302: an HTML page; .*correct the address/,
    ],
    [
      'RemoteClientCreationFailed',
      '404 of a proxy',
      text(404, html),
      /answered 404: an HTML page; .*correct the address/,
    ],
    ['ApiTransient', 'an HTML page', text(200, html), /the answer is an HTML page/],
    ['ApiTransient', 'JSON that breaks off', text(200, '{"metadata":{"name":"on'), /not complete JSON/],
    ['ApiTransient', 'JSON of something else', text(200, '{"hello":1}'), /no Kubernetes object/],
    ['ApiTransient', 'nothing', text(200, ''), /no Kubernetes object/],
  ])('rejects with %s for %s', async (kind, _, answer, message) => {
    server.on(onePath, answer);
    const failure = await client()
      .get(oneRef)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) as string });
    expect(String(failure)).toMatch(/ConfigMap default\/one/);
    expect(String(failure)).not.toMatch(/secret/);
  });

  test('is absence only when the API server says so', async () => {
    const api = client();
    server.on(onePath, json(404, status(404, 'NotFound')));
    await expect(api.get(oneRef)).resolves.toBeUndefined();
    await expect(api.delete(oneRef)).resolves.toBe('gone');
    server.on(onePath, text(404, html));
    await expect(api.delete(oneRef)).rejects.toMatchObject({ kind: 'RemoteClientCreationFailed' });
  });

  test('is no absence of the kind while discovery still shows it', async () => {
    const api = client();
    server.on(onePath, text(404, '404 page not found\n'));
    await expect(api.delete(oneRef)).rejects.toMatchObject({ kind: 'ApiTransient' });
    server.on('/api', json(200, { kind: 'APIGroupDiscoveryList', items: [] }));
    await expect(api.delete(oneRef)).resolves.toBe('gone');
    await expect(api.get(oneRef)).rejects.toMatchObject({ kind: 'KindUnavailable' });
  });

  test('is never taken for an empty list', async () => {
    const api = client();
    for (const body of [{}, { kind: 'ConfigMapList' }, { items: [] }]) {
      server.on(listPath, json(200, body));
      await expect(api.list('v1', 'ConfigMap')).rejects.toMatchObject({ kind: 'ApiTransient' });
    }
    server.on(listPath, json(200, { kind: 'ConfigMapList', items: null, metadata: {} }));
    await expect(api.list('v1', 'ConfigMap')).resolves.toEqual([]);
  });

  test('names the fields of a Secret and never quotes its values', async () => {
    const message = '.data.password: expected string, got hunter2';
    const details = { causes: [{ reason: 'FieldValueInvalid', field: 'data.password', message }] };
    server.on('/api/v1/namespaces/default/secrets/s', json(422, status(422, 'Invalid', message, details)));
    const ref = { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 's' };
    const failure = await client().get(ref).catch(String);
    expect(failure).toMatch(/Secret default\/s .*Invalid data\.password/);
    expect(failure).not.toMatch(/hunter2/);
  });

  test('lists the fields and owners of an apply conflict', async () => {
    const cause = (field: string, message: string) => ({ reason: 'FieldManagerConflict', field, message });
    const causes = [
      cause(
        '.spec.replicas',
        'conflict with "kube-controller-manager" with subresource "scale" using apps/v1',
      ),
      cause('.webhooks[name="a"].rules', 'conflict with "webhook \\"x\\"" using v1 at 2026-01-01T00:00:00Z'),
    ];
    server.on(onePath, json(409, status(409, 'Conflict', 'Apply failed', { causes })));
    await expect(client().apply(configMap('one') as never)).rejects.toMatchObject({
      kind: 'ApplyConflict',
      message: expect.stringMatching(
        /ConfigMap default\/one .*\.spec\.replicas \(kube-controller-manager\)/,
      ) as string,
      cause: {
        conflicts: [
          { field: '.spec.replicas', manager: 'kube-controller-manager' },
          { field: '.webhooks[name="a"].rules', manager: 'webhook \\"x\\"' },
        ],
      },
    });
  });
});

describe('credentials that are refused', () => {
  const refused = json(401, status(401, 'Unauthorized'));
  const renewing = () => {
    const state = { token: 'old', refused: [] as unknown[] };
    const settings: Partial<ConnectionSettings> = {
      credential: () => Promise.resolve({ token: state.token }),
      renewCredential: (credential) => {
        state.refused.push(credential?.token);
        state.token = 'new';
        return Promise.resolve();
      },
    };
    return { state, settings };
  };

  test('are renewed once and the request is sent again', async () => {
    const { state, settings } = renewing();
    const api = client(settings);
    await api.serverVersion();
    server.on(onePath, inTurn(refused, json(200, configMap('one'))));
    server.on('/api', (response, request) =>
      request.headers.authorization === 'Bearer old' ? refused(response, request) : undefined,
    );
    server.on('/api', json(200, { kind: 'APIGroupDiscoveryList', items: [] }));
    server.on('/version', inTurn(refused, json(200, { gitVersion: 'v2' })));
    await expect(api.serverVersion()).resolves.toBe('v2');
    expect(state.refused).toEqual(['old']);
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer new');
  });

  test('fail when they are refused again', async () => {
    const { state, settings } = renewing();
    server.on('/version', refused);
    await expect(client(settings).serverVersion()).rejects.toMatchObject({
      kind: 'RemoteClientCreationFailed',
    });
    expect(state.refused).toEqual(['old']);
    expect(server.requests).toHaveLength(2);
  });
});

describe('a server that throttles', () => {
  test('is asked again after the time that it names', async () => {
    const throttle = json(429, status(429, 'TooManyRequests'), { 'retry-after': '1' });
    server.on('/version', inTurn(throttle, json(200, { gitVersion: 'v1.35.0' })));
    const startedAt = performance.now();
    await expect(client().serverVersion()).resolves.toBe('v1.35.0');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  test('is not waited for when it asks for too much, and a waiting caller may give up', async () => {
    server.on('/version', json(429, status(429, 'TooManyRequests'), { 'retry-after': '3600' }));
    await expect(client().serverVersion()).rejects.toMatchObject({ kind: 'ApiTransient' });
    server.on('/version', json(429, status(429, 'TooManyRequests'), { 'retry-after': '50' }));
    const reason = new Error('enough');
    await expect(client().serverVersion({ signal: abortSoon(reason) })).rejects.toBe(reason);
  });
});

describe('a connection that breaks', () => {
  test('in the middle of an answer is ApiTransient', async () => {
    server.on(onePath, (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"metadata"');
      setTimeout(() => server.cut(), 50);
    });
    await expect(client().get(oneRef)).rejects.toMatchObject({ kind: 'ApiTransient' });
  });

  test('before the answer is tried once more for reads and applies, and not for other writes', async () => {
    const api = client();
    await api.get(oneRef);
    const cut: Answer = () => server.cut();
    server.on(onePath, inTurn(cut, json(200, configMap('one'))));
    await expect(api.get(oneRef)).resolves.toBeDefined();
    server.on(onePath, inTurn(cut, json(200, configMap('one'))));
    await expect(api.apply(configMap('one') as never)).resolves.toMatchObject({ created: false });
    const before = server.requests.length;
    server.on(onePath, cut);
    await expect(api.replace(configMap('one') as never)).rejects.toMatchObject({ kind: 'SpokeUnreachable' });
    expect(server.requests.length).toBe(before + 1);
  });

  test('says nothing any more is noticed by the time limit, and the next call connects anew', async () => {
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port });
    const api = client({ server: `http://127.0.0.1:${String(proxy.port)}`, limits: shortLimits });
    await api.get(oneRef);
    const before = proxy.connections;
    proxy.blackHole(true);
    await expect(api.get(oneRef)).rejects.toMatchObject({ kind: 'SpokeUnreachable' });
    proxy.blackHole(false);
    await expect(api.get(oneRef)).resolves.toBeDefined();
    expect(proxy.connections).toBe(before + 1);
    await proxy.stop();
  });

  test('never comes about: those who wait for it fail together and not one after another', async () => {
    // Connections are taken by the kernel and TLS never answers.
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port });
    proxy.blackHole(true);
    const limits = { connectTimeoutMs: 1_000, headersTimeoutMs: 5_000 };
    const api = client({ server: `https://127.0.0.1:${String(proxy.port)}`, limits });
    const startedAt = performance.now();
    const calls = await Promise.allSettled(Array.from({ length: 10 }, () => api.serverVersion()));
    expect(calls.every((call) => call.status === 'rejected')).toBe(true);
    // One after another they would reach the limit of a whole call.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await proxy.stop();
  });
});

describe('a caller that gives up', () => {
  test('gets its own reason, whether it waits for the answer, for the limit or for discovery', async () => {
    const silent: Answer = () => undefined;
    server.on('/version', silent);
    const api = client({ limits: { inFlight: 1 } });
    const reason = new Error('enough');
    const signal = abortSoon(reason);
    const calls = [api.serverVersion({ signal }), api.serverVersion({ signal }), api.get(oneRef, { signal })];
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toEqual({ status: 'rejected', reason });
    }
    await expect(api.get(oneRef, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    server.on('/version', json(200, { gitVersion: 'v1' }));
    await expect(api.serverVersion()).resolves.toBe('v1');
  });
});

describe('what a request costs', () => {
  test('is reported, with the size as it was transferred', async () => {
    const seen: RequestObservation[] = [];
    const items = Array.from({ length: 200 }, (_, index) => configMap(`object-${String(index)}`));
    const body = JSON.stringify({ kind: 'ConfigMapList', items });
    server.on(listPath, (response, { headers }) => {
      expect(headers['accept-encoding']).toBe('gzip');
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(body));
    });
    const api = client({}, (observation) => seen.push(observation));
    await expect(api.list('v1', 'ConfigMap')).resolves.toHaveLength(200);
    const last = seen.at(-1);
    expect(last).toMatchObject({ method: 'GET', path: listPath, status: 200, sentBytes: 0 });
    expect(last?.receivedBytes).toBeLessThan(body.length / 3);
  });
});

function abortSoon(reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 100);
  return controller.signal;
}
