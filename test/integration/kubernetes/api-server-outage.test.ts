import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';
import type { Fleet } from '../../../dev/control-plane/start-fleet.ts';
import { startFleet } from '../../../dev/control-plane/start-fleet.ts';
import { until } from '../../../dev/processes/until.ts';
import { object } from './spoke-client.ts';

let fleet: Fleet;
let client: ClusterClient;
beforeAll(async () => {
  fleet = await startFleet({ spokes: 0, controllers: false });
  const { server, token, caPem } = fleet.hub;
  client = createClusterClient(
    {
      server,
      certificateAuthority: caPem,
      credential: () => Promise.resolve({ token }),
      limits: { circuitOpenMs: 1000 },
    },
    { fieldManager: 'knative-fleet' },
  );
});
afterAll(async () => {
  await client.close();
  await fleet.stop();
});

const configMap = (step: string) =>
  object('v1', 'ConfigMap', { name: 'watched', namespace: 'default' }, { data: { step } });

const stepOf = (item: object) => (item as { data: { step: string } }).data.step;

describe('an API server that ends and comes back', () => {
  test('is SpokeUnreachable meanwhile, at once after a few tries; a watch knows everything again afterwards', async () => {
    const stop = new AbortController();
    let known: string[] = [];
    await client.apply(configMap('0'));
    const fieldSelector = 'metadata.name=watched';
    const options = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', fieldSelector };
    const watching = (async () => {
      for await (const event of client.watch({ ...options, signal: stop.signal })) {
        known = (event.type === 'SYNC' ? event.objects : [event.object]).map(stepOf);
      }
    })();
    await expect.poll(() => known).toEqual(['0']);
    await client.apply(configMap('1'));
    await expect.poll(() => known).toEqual(['1']);

    await fleet.hub.stop();
    const failures: string[] = [];
    await until('the circuit opens', 30_000, async () => {
      const failure = await client.serverVersion().catch(String);
      failures.push(failure);
      return failure.includes('times in a row') || undefined;
    });
    expect(failures.every((failure) => failure.startsWith('OperatorError:'))).toBe(true);

    await fleet.hub.restart();
    await until('the server is used again', 30_000, () => client.apply(configMap('2')));
    // The new process has forgotten the place, so this comes by a new look at the whole set.
    await expect.poll(() => known, { timeout: 40_000 }).toEqual(['2']);
    await client.apply(configMap('3'));
    await expect.poll(() => known).toEqual(['3']);
    stop.abort();
    await watching;
  });
});

describe('an API group whose server is down', () => {
  test('makes its kinds unknown and not absent, and no other kind', async () => {
    const service = { name: 'nobody', namespace: 'default', port: 443 };
    const spec = {
      group: 'down.example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 10,
    };
    const apiService = object(
      'apiregistration.k8s.io/v1',
      'APIService',
      { name: 'v1.down.example.com' },
      {
        spec: { ...spec, service, insecureSkipTLSVerify: true },
      },
    );
    await client.apply(apiService);
    const ref = { apiVersion: 'down.example.com/v1', kind: 'Thing', name: 'a' };
    await until('the group is listed', 30_000, async () => {
      client.invalidateDiscovery();
      const kinds = await client.listableKinds();
      return kinds.some(({ apiVersion }) => apiVersion === ref.apiVersion) || undefined;
    });
    const unknown = {
      kind: 'ApiTransient',
      message: expect.stringMatching(/repair or delete its APIService/) as string,
    };
    await expect(client.delete(ref)).rejects.toMatchObject(unknown);
    await expect(client.list(ref.apiVersion, '*')).rejects.toMatchObject(unknown);
    await expect(client.get({ apiVersion: 'v1', kind: 'Namespace', name: 'default' })).resolves.toBeDefined();
  });
});
