/** Objects that Knative's own processes create in their namespace and never remove. */
export interface LeftoverPattern {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: RegExp;
}

const bucket = /^autoscaler-bucket-\d+-of-\d+/;

/** Leader-election Leases, the autoscaler's bucket Services and their endpoints, and generated certificates. */
export const runtimeLeftovers: readonly LeftoverPattern[] = [
  { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', name: /(\.|-)\d+-of-\d+$/ },
  { apiVersion: 'v1', kind: 'Service', name: bucket },
  { apiVersion: 'v1', kind: 'Endpoints', name: bucket },
  { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', name: bucket },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    name: /^(serving-certs-ctrl-ca|knative-serving-certs|routing-serving-certs)$/,
  },
];

/** Kinds that other controllers fill in for objects of ours; with an owner they are no reason to keep a namespace. */
export const derivedKinds: ReadonlySet<string> = new Set([
  'Pod',
  'ReplicaSet',
  'ControllerRevision',
  'Endpoints',
  'EndpointSlice',
  'Event',
  'PodMetrics',
]);
