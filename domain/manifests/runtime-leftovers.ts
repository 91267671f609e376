import type { ManifestObject } from './object.ts';

/** Objects that Knative's own processes create in their namespace and never remove. */
export interface Leftover {
  readonly apiVersion: string;
  readonly kind: string;
  /** They are found by listing; without it, each of `names` is looked for, so that the kind need not be listed. */
  readonly pattern?: RegExp;
  /** Every name there can be, where that is known. */
  readonly names?: readonly string[];
}

const bucket = /^autoscaler-bucket-\d+-of-\d+/;

/** The most buckets that ConfigMap config-leader-election allows. */
const maxBuckets = 10;
const bucketNames = Array.from({ length: maxBuckets }, (_, index) => index + 1).flatMap((count) =>
  Array.from(
    { length: count },
    (_, ordinal) => `autoscaler-bucket-${twoDigits(ordinal)}-of-${twoDigits(count)}`,
  ),
);

/** Leader-election Leases, the autoscaler's bucket Services and their endpoints, and generated certificates. */
export const runtimeLeftovers: readonly Leftover[] = [
  { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', pattern: /(\.|-)\d+-of-\d+$/ },
  { apiVersion: 'v1', kind: 'Service', pattern: bucket, names: bucketNames },
  { apiVersion: 'v1', kind: 'Endpoints', pattern: bucket, names: bucketNames },
  { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', pattern: bucket },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    names: ['serving-certs-ctrl-ca', 'knative-serving-certs', 'routing-serving-certs'],
  },
];

/** Whether an object in the install namespace is one of these. */
export function isRuntimeLeftover({ apiVersion, kind, metadata }: ManifestObject): boolean {
  const name = metadata.name ?? '';
  return runtimeLeftovers.some(
    (leftover) =>
      leftover.kind === kind &&
      leftover.apiVersion === apiVersion &&
      (leftover.pattern?.test(name) ?? leftover.names?.includes(name)) === true,
  );
}

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

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
