import type { RequestObservation } from '../../kubernetes/api-request.ts';
import type { CircuitObserver } from '../../kubernetes/circuit-breaker.ts';
import type { MetricDeclarations } from './metric-declaration.ts';
import type { MetricsExport } from './metrics-export.ts';

const spoke = '`namespace/name` of the ClusterProfile; `hub` for the hub';
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

export const clusterMetrics = {
  requests: {
    type: 'counter',
    name: 'knative_fleet_cluster_requests_total',
    help: 'Requests to an API server, repeated ones included, watches left out.',
    labels: {
      spoke,
      method: 'HTTP method',
      code: 'HTTP status code; `none` when there was no answer, or only half of one',
    },
  },
  duration: {
    type: 'histogram',
    name: 'knative_fleet_cluster_request_duration_seconds',
    help: 'How long requests to API servers took, waits for their turn left out.',
    labels: { target: '`hub` or `spoke`', method: 'HTTP method' },
    buckets: requestBuckets,
  },
  circuit: {
    type: 'gauge',
    name: 'knative_fleet_circuit_open',
    help: 'Whether calls fail at once, because the API server did not answer several times in a row: 1 or 0. Absent while there is no connection.',
    labels: { spoke },
  },
} as const satisfies MetricDeclarations;

/** Observes one connection. */
export interface ConnectionObserver {
  readonly onRequest: (observation: RequestObservation) => void;
  readonly onCircuit: CircuitObserver;
  readonly onClose: () => void;
}

export interface ClusterObserver {
  connection(spoke: string): ConnectionObserver;
  /** Takes the series of a spoke back. */
  forget(spoke: string): void;
}

export function observeClusters(metrics: MetricsExport): ClusterObserver {
  const { requests, duration, circuit } = metrics.register(clusterMetrics);
  const connections = createConnections();
  const codes = new Map<string, Map<string, { method: string; code: string }>>();
  metrics.beforeScrape(() => {
    circuit.reset();
    for (const [name, open] of connections.states()) circuit.set({ spoke: name }, open ? 1 : 0);
  });
  return {
    connection(name) {
      const connection = connections.add(name);
      const target = name === 'hub' ? 'hub' : 'spoke';
      return {
        onRequest({ method, status, milliseconds }) {
          const code = status === 0 ? 'none' : String(status);
          const seen = codes.get(name) ?? new Map<string, { method: string; code: string }>();
          codes.set(name, seen.set(`${method} ${code}`, { method, code }));
          requests.inc({ spoke: name, method, code });
          duration.observe({ target, method }, milliseconds / 1_000);
        },
        onCircuit: (open) => connection.set(open),
        onClose: () => connection.remove(),
      };
    },
    forget(name) {
      for (const labels of codes.get(name)?.values() ?? []) requests.remove({ spoke: name, ...labels });
      codes.delete(name);
    },
  };
}

/** A connection that was replaced lives beside its successor until its last call ended; the newest one counts. */
function createConnections() {
  const connections = new Map<symbol, { readonly spoke: string; open: boolean }>();
  return {
    add(spokeName: string) {
      const key = Symbol(spokeName);
      const state = { spoke: spokeName, open: false };
      connections.set(key, state);
      return {
        set: (open: boolean) => void (state.open = open),
        remove: () => void connections.delete(key),
      };
    },
    states: (): ReadonlyMap<string, boolean> =>
      new Map([...connections.values()].map((state) => [state.spoke, state.open])),
  };
}
