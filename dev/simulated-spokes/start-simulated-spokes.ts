import { once } from 'node:events';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';

import { Pool } from 'undici';

import type { Cluster } from '../control-plane/cluster.ts';
import type { KeyPair } from '../certificates/make-certificates.ts';
import { createObjectStore } from './object-store.ts';
import { answerRequest } from './simulated-api.ts';
import type { SimulatedCluster } from './simulated-api.ts';
import type { DiscoveryDocuments } from './simulated-discovery.ts';

/** Clusters in this process, for load over more of them than real ones can be started; everything in them is ready at once. */
export interface SimulatedSpokes {
  /** Path of a cluster. Names are free; a cluster begins to exist with its first request. */
  pathOf(name: string): string;
  readonly port: number;
  /** Requests to a cluster by `<method> <path>`. */
  requestsTo(name: string): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

export interface SimulatedSpokesOptions {
  readonly certificate: KeyPair;
  /** A real cluster, whose API groups the simulated ones serve. */
  readonly like: Pick<Cluster, 'server' | 'caPem' | 'token'>;
}

interface Simulation {
  readonly clusters: Map<string, SimulatedCluster>;
  readonly requests: Map<string, Record<string, number>>;
  readonly discovery: DiscoveryDocuments;
}

export async function startSimulatedSpokes(options: SimulatedSpokesOptions): Promise<SimulatedSpokes> {
  const simulation: Simulation = {
    clusters: new Map(),
    requests: new Map(),
    discovery: await readDiscovery(options.like),
  };
  const { certificate, key } = options.certificate;
  const server = createSecureServer({ cert: certificate, key }, (request, response) => {
    void take(simulation, request, response).catch(() => response.stream.destroy());
  });
  // Sockets and not sessions: one that is still in its handshake would keep the server open.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    pathOf: (name) => `/${name}`,
    requestsTo: (name) => ({ ...simulation.requests.get(name) }),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function take(
  simulation: Simulation,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  const url = new URL(request.url, 'https://simulated.invalid');
  const [, name = '', ...rest] = url.pathname.split('/');
  const path = `/${rest.join('/')}`;
  const { method } = request;
  const counted = simulation.requests.get(name) ?? {};
  counted[`${method} ${path}`] = (counted[`${method} ${path}`] ?? 0) + 1;
  simulation.requests.set(name, counted);
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE';
  const body: unknown = hasBody ? await json(request) : undefined;
  const cluster = simulation.clusters.get(name) ?? newCluster(simulation.discovery);
  simulation.clusters.set(name, cluster);
  answerRequest(cluster, { method, path, query: url.searchParams, headers: request.headers, body }, response);
}

function newCluster(discovery: DiscoveryDocuments): SimulatedCluster {
  const store = createObjectStore();
  for (const name of ['kube-system', 'default']) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    store.apply(`/api/v1/namespaces/${name}`, namespace, 'simulation');
  }
  return { store, discovery };
}

async function readDiscovery({
  server,
  caPem,
  token,
}: SimulatedSpokesOptions['like']): Promise<DiscoveryDocuments> {
  const pool = new Pool(server, { connect: { ca: caPem } });
  const read = async (path: string): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    };
    return (await pool.request({ method: 'GET', path, headers })).body.json();
  };
  try {
    const [core, groups] = await Promise.all([read('/api'), read('/apis')]);
    return { core, groups };
  } finally {
    await pool.close();
  }
}
