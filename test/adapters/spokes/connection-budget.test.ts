import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { parseAccessConfig } from '../../../adapters/access/access-config.ts';
import { createCredentialCache } from '../../../adapters/access/credential-cache.ts';
import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';
import { createSpokePool } from '../../../adapters/spokes/spoke-pool.ts';
import { makeCertificates } from '../../../dev/certificates/make-certificates.ts';
import { until } from '../../../dev/processes/until.ts';
import { parseClusterProfile } from '../../../domain/api/cluster-profile.ts';
import { execVersion } from '../access/plugin-scripts.ts';
import { ordinaryAnswer } from './fake-spoke.ts';

/** Enough to tell one connection for each from several; handshakes are what costs time here. */
const spokes = 200;
const atOnce = 20;
const callsEach = 3;
/** Both ends of every handshake are in this process, on a machine that may be busy. */
const patient = { connectTimeoutMs: 60_000, headersTimeoutMs: 60_000 };

const certificates = await makeCertificates(['IP:127.0.0.1']);
/** Every spoke has a path of its own below the address. */
const server = createSecureServer({
  cert: certificates.server.certificate,
  key: certificates.server.key,
});
let opened = 0;
let open = 0;

beforeAll(async () => {
  server.on('secureConnection', (socket) => {
    opened += 1;
    open += 1;
    socket.on('close', () => (open -= 1));
  });
  server.on('request', (request, response) => {
    const [, name = '', ...rest] = request.url.split('/');
    const path = `/${rest.join('/')}`;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(ordinaryAnswer(path, name)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
});

describe('connections to many spokes', () => {
  test('are one for each however many calls there are at once, and none when nobody needs them', async () => {
    const { port } = server.address() as AddressInfo;
    const execConfig = { command: '/bin/true', apiVersion: execVersion };
    const config = parseAccessConfig(JSON.stringify({ providers: [{ name: 'p', execConfig }] }));
    const authority = Buffer.from(certificates.authority).toString('base64');
    const pool = createSpokePool({
      readProfile: ({ namespace, name }) =>
        Promise.resolve(
          parseClusterProfile({
            metadata: { namespace, name },
            status: {
              conditions: [{ type: 'ControlPlaneHealthy', status: 'True' }],
              accessProviders: [
                {
                  name: 'p',
                  cluster: {
                    server: `https://127.0.0.1:${String(port)}/${name}`,
                    'certificate-authority-data': authority,
                  },
                },
              ],
            },
          }),
        ),
      providerFile: { current: () => Promise.resolve(config) },
      credentials: createCredentialCache({
        run: () => Promise.resolve({ credential: { token: 'any' }, expiresAt: undefined }),
      }),
      createClient: (settings) =>
        createClusterClient({ ...settings, limits: patient }, { fieldManager: 'test' }),
      idleMs: 10_000,
    });
    try {
      const names = Array.from({ length: spokes }, (_, index) => `spoke-${String(index)}`);
      for (let first = 0; first < spokes; first += atOnce) {
        const some = names.slice(first, first + atOnce);
        const calls = some.flatMap((name) =>
          Array.from({ length: callsEach }, async () => {
            const target = await pool.connect({ namespace: 'fleet', name });
            await target.client.serverVersion();
            return target.clusterUID;
          }),
        );
        expect(new Set(await Promise.all(calls))).toEqual(new Set(some));
      }
      expect(opened).toBe(spokes);
      await until('the end of all connections', 120_000, async () => (open === 0 ? true : undefined));
    } finally {
      await pool.close();
    }
  });
});
