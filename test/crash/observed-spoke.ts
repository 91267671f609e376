import { createClusterClient } from '../../adapters/kubernetes/http-cluster-client.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { Certificates } from '../../dev/certificates/make-certificates.ts';
import type { Cluster } from '../../dev/control-plane/cluster.ts';
import type { FaultPlan } from '../../dev/fault-proxy/http-fault.ts';
import { statusAnswer } from '../../dev/fault-proxy/http-fault.ts';
import { startHttpProxy } from '../../dev/fault-proxy/start-http-proxy.ts';
import type { DisturbedWatches } from './disturbed-watches.ts';
import { disturbedWatches } from './disturbed-watches.ts';
import type { SeenOnSpoke } from './recording.ts';

export type Fault = 'answer 503' | 'answer 429' | 'withhold answers';

/** A spoke behind a proxy that records what it is asked and fails as it is told. */
export interface ObservedSpoke {
  readonly cluster: Cluster;
  /** The administrator's own, past the proxy. */
  readonly client: ClusterClient;
  /** As the operator reaches it. */
  readonly server: string;
  readonly seen: readonly SeenOnSpoke[];
  /** Tokens that it was sent. */
  readonly credentials: ReadonlySet<string>;
  /** The next requests fail; zero ends it. */
  fail(fault: Fault, requests: number): void;
  cutConnections(): void;
  readonly watches: DisturbedWatches;
  stop(): Promise<void>;
}

const retryAfterMs = 1_000;

/** `worker` tells which worker is at work, by number. */
export async function observeSpoke(
  cluster: Cluster,
  certificates: Certificates,
  worker: () => number,
): Promise<ObservedSpoke> {
  const proxy = await startHttpProxy({ target: cluster, certificate: certificates.server });
  const { server, caPem, token } = cluster;
  const client = createClusterClient(
    { server, certificateAuthority: caPem, credential: () => Promise.resolve({ token }) },
    { fieldManager: 'chaos-test' },
  );
  const seen: SeenOnSpoke[] = [];
  const credentials = new Set<string>();
  let failing: { readonly fault: Fault; left: number } = { fault: 'answer 503', left: 0 };
  const watches = disturbedWatches();
  const plan: FaultPlan = (request) => {
    const { method, path, query } = request;
    const failed = failing.left > 0 && (failing.fault !== 'withhold answers' || method !== 'GET');
    const entry = {
      at: performance.now(),
      request: `${method} ${path}?${query.toString()}`,
      worker: worker(),
    };
    seen.push(failed && failing.fault === 'answer 429' ? { ...entry, retryAfterMs } : entry);
    if (!failed) return watches.fault(request);
    failing.left -= 1;
    return faults[failing.fault];
  };
  proxy.inject(plan);
  proxy.exchangeTokens((sent) => {
    credentials.add(sent);
    return sent;
  });
  return {
    cluster,
    client,
    server: proxy.server,
    seen,
    credentials,
    fail: (fault, left) => void (failing = { fault, left }),
    cutConnections: () => proxy.useCertificate(certificates.server),
    watches,
    async stop() {
      await client.close();
      await proxy.stop();
    },
  };
}

const faults = {
  'answer 503': statusAnswer(503, 'ServiceUnavailable'),
  'answer 429': statusAnswer(429, 'TooManyRequests', { 'retry-after': String(retryAfterMs / 1_000) }),
  'withhold answers': { type: 'withhold', answered: () => undefined },
} as const;
