import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { createClusterClient } from '../../adapters/kubernetes/http-cluster-client.ts';
import { componentApi } from '../../domain/api/component-ref.ts';
import { clusterProfileApi } from '../../domain/api/cluster-profile.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { listAt, stringAt } from '../../domain/manifests/object.ts';
import { makeCertificates } from '../certificates/make-certificates.ts';
import type { Cluster } from '../control-plane/cluster.ts';
import { startTcpProxy } from '../fault-proxy/start-tcp-proxy.ts';
import { providerName } from '../operator/register-spoke.ts';
import { until } from '../processes/until.ts';
import type { SimulatedSpokes } from './start-simulated-spokes.ts';
import { startSimulatedSpokes } from './start-simulated-spokes.ts';

export interface InstallsOptions {
  readonly hub: Cluster;
  /** Namespace on the hub of resources and ClusterProfiles; must exist. */
  readonly namespace: string;
  readonly healthy: number;
  /** More spokes, which take connections and never answer. */
  readonly blackHoled: number;
  readonly version: string;
  /** Version of an Eventing on every healthy spoke beside Serving; its install is not measured. */
  readonly eventing?: string;
  /** Default ten minutes. */
  readonly withinMs?: number;
  /** Awaited when all healthy spokes are ready, before anything ends. */
  readonly whenReady?: () => Promise<void>;
}

/** What the healthy spokes saw of a Serving installation on every spoke, all begun at once. */
export interface Installs {
  /** From the creation of the resource until it is Ready, one value for each healthy spoke. */
  readonly secondsToReady: readonly number[];
  /** Requests to each healthy spoke until its component was Ready, by `<method> <path>`. */
  readonly requests: readonly Readonly<Record<string, number>>[];
}

const readyWithinMs = 600_000;

/** Installs on simulated spokes through a running operator; its plugin must need nothing of the hub. */
export async function measureInstalls(options: InstallsOptions): Promise<Installs> {
  const certificates = await makeCertificates(['IP:127.0.0.1']);
  const spokes = await startSimulatedSpokes({ certificate: certificates.server, like: options.hub });
  const silent = await startTcpProxy({ host: '127.0.0.1', port: spokes.port });
  silent.blackHole(true);
  const { server, caPem, token } = options.hub;
  const hub = createClusterClient(
    {
      server,
      certificateAuthority: caPem,
      credential: () => Promise.resolve({ token }),
      limits: { requestsPerSecond: 1_000 },
    },
    { fieldManager: 'simulation' },
  );
  try {
    const healthy = numbered('healthy', options.healthy).map((name) => ({ name, port: spokes.port }));
    const dead = numbered('dead', options.blackHoled).map((name) => ({ name, port: silent.port }));
    await Promise.all(
      [...healthy, ...dead].map(({ name, port }) =>
        registerSimulated(hub, options.namespace, {
          name,
          server: `https://127.0.0.1:${String(port)}${spokes.pathOf(name)}`,
          authority: certificates.authority,
        }),
      ),
    );
    const work = { hub, spokes, options };
    const installs = await install(
      work,
      [...dead, ...healthy].map(({ name }) => name),
    );
    if (options.eventing !== undefined) await installEventing(work, options.eventing);
    await options.whenReady?.();
    return installs;
  } finally {
    await hub.close();
    await silent.stop();
    await spokes.stop();
  }
}

interface ReadyInstall {
  readonly seconds: number;
  readonly requests: Installs['requests'][number];
}

interface Work {
  readonly hub: ClusterClient;
  readonly spokes: SimulatedSpokes;
  readonly options: InstallsOptions;
}

async function install({ hub, spokes, options }: Work, names: readonly string[]): Promise<Installs> {
  const healthy = names.filter((name) => name.startsWith('healthy'));
  const startedAt = performance.now();
  await Promise.all(names.map((name) => hub.create(servingOn(name, options))));
  const ready = new Map<string, ReadyInstall>();
  const signal = AbortSignal.timeout(options.withinMs ?? readyWithinMs);
  const { namespace } = options;
  const watched = { apiVersion: componentApi.apiVersion, kind: 'KnativeServing', namespace };
  for await (const event of hub.watch({ ...watched, signal })) {
    const objects = event.type === 'SYNC' ? event.objects : [event.object];
    for (const { metadata } of objects.filter(isReady)) {
      const name = metadata.name ?? '';
      if (ready.has(name)) continue;
      const seconds = (performance.now() - startedAt) / 1_000;
      // What comes later is an observer's, and how much of it comes before the slowest is Ready is chance.
      ready.set(name, { seconds, requests: spokes.requestsTo(name) });
    }
    if (healthy.every((name) => ready.has(name))) break;
  }
  const late = healthy.find((name) => !ready.has(name));
  if (late !== undefined) {
    const found = await hub.get({ ...watched, name: late });
    throw new Error(`${late} did not become Ready in time; it is ${JSON.stringify(found?.['status'])}`);
  }
  return {
    secondsToReady: healthy.map((name) => ready.get(name)?.seconds ?? Number.NaN),
    requests: healthy.map((name) => ready.get(name)?.requests ?? {}),
  };
}

/** One on each healthy spoke, all at once; resolves when all are Ready. */
async function installEventing({ hub, options }: Work, version: string): Promise<void> {
  const { apiVersion } = componentApi;
  const [kind, { namespace }] = ['KnativeEventing', options];
  await Promise.all(
    numbered('healthy', options.healthy).map((name) => {
      const destination = { clusterProfileRef: { name, namespace } };
      return hub.create({ apiVersion, kind, metadata: { name, namespace }, spec: { version, destination } });
    }),
  );
  await until('every Eventing is Ready', options.withinMs ?? readyWithinMs, async () =>
    (await hub.list(apiVersion, kind, { namespace })).every(isReady) ? true : undefined,
  );
}

function servingOn(name: string, { namespace, version }: InstallsOptions): ManifestObject {
  return {
    apiVersion: componentApi.apiVersion,
    kind: 'KnativeServing',
    metadata: { name, namespace },
    spec: {
      version,
      // The one ingress that needs nothing else on the cluster, and that the sample releases have.
      ingress: { kourier: { enabled: true } },
      destination: { clusterProfileRef: { name, namespace } },
    },
  };
}

async function registerSimulated(
  hub: ClusterClient,
  namespace: string,
  spoke: { readonly name: string; readonly server: string; readonly authority: string },
): Promise<void> {
  const cluster = {
    server: spoke.server,
    'certificate-authority-data': Buffer.from(spoke.authority).toString('base64'),
  };
  const condition = {
    type: clusterProfileApi.healthCondition,
    status: 'True',
    reason: 'Simulated',
    message: '',
  };
  const status = {
    conditions: [{ ...condition, lastTransitionTime: new Date().toISOString() }],
    accessProviders: [{ name: providerName, cluster }],
  };
  const created = await hub.create({
    apiVersion: `${clusterProfileApi.group}/v1alpha1`,
    kind: clusterProfileApi.kind,
    metadata: { name: spoke.name, namespace },
    spec: { clusterManager: { name: 'simulation' } },
  });
  await hub.replace({ ...created, status }, { subresource: 'status' });
}

function isReady(object: ManifestObject): boolean {
  return listAt(object, 'status', 'conditions').some(
    (condition) => stringAt(condition, 'type') === 'Ready' && stringAt(condition, 'status') === 'True',
  );
}

function numbered(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1)}`);
}
