import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { callApi } from '../../../dev/control-plane/api-call.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import type { Fleet } from '../../../dev/control-plane/start-fleet.ts';
import { startFleet } from '../../../dev/control-plane/start-fleet.ts';
import { until } from '../../../dev/processes/until.ts';
import { foreignPeersOf } from '../../support/processes.ts';

let fleet: Fleet;
const answered = createServer((_, response) => response.end('from the test'));
const answeredAddress = '192.0.2.7:80';

beforeAll(async () => {
  await once(answered.listen(0, '127.0.0.1'), 'listening');
  const address = answered.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  fleet = await startFleet({
    spokes: 0,
    controllers: false,
    answerDial: (dial) => (dial.address === answeredAddress ? port : undefined),
  });
});

afterAll(async () => {
  await fleet.stop();
  answered.close();
});

/** A served version and another stored one, so that each write must be converted. */
function convertedCrd(plural: string, clientConfig: object): object {
  const version = (name: string, storage: boolean): object => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.dial.example.com` },
    spec: {
      group: 'dial.example.com',
      scope: 'Cluster',
      names: { plural, singular: plural.slice(0, -1), kind: plural },
      versions: [version('v1', false), version('v2', true)],
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig },
      },
    },
  };
}

async function writeConverted(plural: string, clientConfig: object): Promise<void> {
  await callApi(
    fleet.hub,
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    convertedCrd(plural, clientConfig),
  );
  const path = `/apis/dial.example.com/v1/${plural}`;
  const object = { apiVersion: 'dial.example.com/v1', kind: plural, metadata: { name: 'one' } };
  await until(`${plural} are served`, 30_000, async () =>
    (await callApi(fleet.hub, path, object)).status === 404 ? undefined : true,
  );
}

/** A request through the API server to a Service whose only Pod claims the given address. */
async function proxied(name: string, ip: string): Promise<{ status: number; text: string }> {
  const namespaced = '/api/v1/namespaces/default';
  const core = { apiVersion: 'v1', metadata: { name } };
  const containers = [{ name: 'main', image: 'example.com/none' }];
  await callApi(fleet.hub, `${namespaced}/pods`, { ...core, kind: 'Pod', spec: { containers } });
  const status = JSON.stringify({ status: { podIP: ip, podIPs: [{ ip }] } });
  await kubectl(fleet.hub, ['patch', 'pod', name, '--subresource=status', '--type=merge', '-p', status]);
  await callApi(fleet.hub, `${namespaced}/services`, {
    ...core,
    kind: 'Service',
    spec: { ports: [{ port: 80 }] },
  });
  const targetRef = { kind: 'Pod', namespace: 'default', name };
  const subsets = [{ addresses: [{ ip, targetRef }], ports: [{ port: 80 }] }];
  await callApi(fleet.hub, `${namespaced}/endpoints`, { ...core, kind: 'Endpoints', subsets });
  return callApi(fleet.hub, `${namespaced}/services/${name}:80/proxy/`);
}

const addresses = (): readonly string[] => fleet.dials().map(({ address }) => address);

describe('startEgressSink', () => {
  test('counts and refuses a conversion webhook that names a Service', async () => {
    const name = { namespace: 'default', name: 'converter', port: 443 };
    const service = await callApi(fleet.hub, '/api/v1/namespaces/default/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'converter' },
      spec: { ports: [{ port: 443 }] },
    });
    await writeConverted('services', { service: name });
    const { spec } = JSON.parse(service.text) as { spec: { clusterIP: string } };
    expect(addresses()).toContain(`${spec.clusterIP}:443`);
    expect(await foreignPeersOf(fleet.hub.pid)).toEqual([]);
  });

  test('counts and refuses a conversion webhook that names an address', async () => {
    await writeConverted('addresses', { url: 'https://192.0.2.1:8443/convert' });
    expect(addresses()).toContain('192.0.2.1:8443');
    expect(await foreignPeersOf(fleet.hub.pid)).toEqual([]);
  });

  test('counts and refuses a request that is proxied to a Service', async () => {
    expect((await proxied('refused', '192.0.2.2')).status).toBe(503);
    expect(addresses()).toContain('192.0.2.2:80');
    expect(await foreignPeersOf(fleet.hub.pid)).toEqual([]);
  });

  test('answers a dial from a loopback port when the test says so', async () => {
    expect(await proxied('answered', '192.0.2.7')).toEqual({ status: 200, text: 'from the test' });
    expect(addresses()).toContain(answeredAddress);
  });
});

describe('foreignPeersOf', () => {
  test('sees a socket whose peer is not on this machine', async () => {
    // A datagram socket that only knows its peer sends nothing.
    const socket = createSocket('udp4');
    socket.connect(9, '192.0.2.1');
    await once(socket, 'connect');
    expect(await foreignPeersOf(process.pid)).toEqual(['010200C0:0009']);
    socket.close();
  });
});
