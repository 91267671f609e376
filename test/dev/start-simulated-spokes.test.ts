import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ClusterClient, WatchEvent } from '../../adapters/kubernetes/cluster-client.ts';
import { makeCertificates } from '../../dev/certificates/make-certificates.ts';
import type { SimulatedSpokes } from '../../dev/simulated-spokes/start-simulated-spokes.ts';
import { startSimulatedSpokes } from '../../dev/simulated-spokes/start-simulated-spokes.ts';
import { readinessOf } from '../../domain/manifests/readiness.ts';
import { clientOf } from '../adapters/kubernetes/client-under-test.ts';
import type { FakeApiServer } from '../adapters/kubernetes/fake-api-server.ts';
import { discovered, json, startFakeApiServer } from '../adapters/kubernetes/fake-api-server.ts';

const certificates = await makeCertificates(['IP:127.0.0.1']);

let like: FakeApiServer;
let spokes: SimulatedSpokes;
const clients: ClusterClient[] = [];

beforeAll(async () => {
  like = await startFakeApiServer({ protocol: 'h2', certificate: certificates.server });
  const definitions = discovered('apiextensions.k8s.io', 'v1', [
    ['customresourcedefinitions', 'CustomResourceDefinition'],
  ]);
  const deployments = discovered('apps', 'v1', [['deployments', 'Deployment']]);
  const items = [definitions, deployments].flatMap((document) => (document as { items: object[] }).items);
  const groups = JSON.stringify({ kind: 'APIGroupDiscoveryList', items });
  // The helper makes every kind a namespaced one; CRDs come first.
  like.on('/apis', json(200, JSON.parse(groups.replace('"Namespaced"', '"Cluster"')) as object));
  spokes = await startSimulatedSpokes({
    certificate: certificates.server,
    like: { server: like.server, caPem: certificates.authority, token: 'any' },
  });
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await spokes.stop();
  await like.stop();
});

function clientFor(name: string): ClusterClient {
  const server = `https://127.0.0.1:${String(spokes.port)}${spokes.pathOf(name)}`;
  const client = clientOf({ server, certificateAuthority: certificates.authority });
  clients.push(client);
  return client;
}

const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'a', labels: { app: name } },
  spec: { replicas: 1 },
});

describe('startSimulatedSpokes', () => {
  test('serves clusters that know nothing of each other, and counts what each was asked', async () => {
    const [one, two] = [clientFor('one'), clientFor('two')];
    expect(await one.apply(deployment('web'))).toMatchObject({ created: true });
    expect(await one.apply(deployment('web'))).toMatchObject({ created: false });
    expect(await one.list('apps/v1', 'Deployment', { labelSelector: 'app=web' })).toHaveLength(1);
    expect(await one.list('apps/v1', 'Deployment', { labelSelector: 'app=db' })).toEqual([]);
    expect(await two.list('apps/v1', 'Deployment')).toEqual([]);
    expect(spokes.requestsTo('one')).toMatchObject({ 'PATCH /apis/apps/v1/namespaces/a/deployments/web': 2 });
    expect(spokes.requestsTo('two')).not.toHaveProperty('PATCH /apis/apps/v1/namespaces/a/deployments/web');
  });

  test('creates once, replaces only what is current, and tells who is absent', async () => {
    const client = clientFor('three');
    const config = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', namespace: 'a' },
      data: { a: '1' },
    };
    const created = await client.create(config);
    await expect(client.create(config)).rejects.toMatchObject({ kind: 'Conflict' });
    await client.replace({ ...created, data: { a: '2' } });
    await expect(client.replace({ ...created, data: { a: '3' } })).rejects.toMatchObject({
      kind: 'Conflict',
    });
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'a', name: 'c' };
    await client.delete(ref);
    expect(await client.get(ref)).toBeUndefined();
  });

  test('sends a watch what there is and what comes, ready at once', async () => {
    const client = clientFor('four');
    await client.apply(deployment('first'));
    const stop = new AbortController();
    const events: WatchEvent[] = [];
    for await (const event of client.watch({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'a',
      signal: stop.signal,
    })) {
      events.push({ ...event });
      if (events.length === 1) await client.apply(deployment('second'));
      else stop.abort();
    }
    const objects = events.flatMap((event) => (event.type === 'SYNC' ? event.objects : [event.object]));
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['first', 'second']);
    expect(objects.every((object) => readinessOf(object).ready)).toBe(true);
  });

  test('serves the kinds of CRDs that were applied to it', async () => {
    const client = clientFor('five');
    expect(await client.serves('sample.dev/v1', 'Thing')).toBe(false);
    const names = { plural: 'things', kind: 'Thing' };
    const versions = [{ name: 'v1', served: true }];
    const spec = { group: 'sample.dev', scope: 'Namespaced', names, versions };
    const metadata = { name: 'things.sample.dev' };
    await client.apply({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata,
      spec,
    });
    client.invalidateDiscovery();
    expect(await client.serves('sample.dev/v1', 'Thing')).toBe(true);
  });
});
