import type { ErrorKind } from '../errors.ts';

/**
 * What happens after a failure: `retry` is repeated by Temporal with back-off until it passes, `wait` needs a change of
 * the resource (or a command) before another try can help, `restart` begins the pass again at once, `bug` is retried
 * slowly and logged as a defect.
 */
export type RetryClass = 'retry' | 'wait' | 'restart' | 'bug';

/** The condition that shows a failure; `none` for failures that end or restart a pass without a trace in status. */
export type FailureCondition =
  | 'TargetClusterResolved'
  | 'VersionMigrationEligible'
  | 'InstallSucceeded'
  | 'none';

/** A reason of a condition that shows a failure. */
export type FailureReason = ErrorKind | 'Error';

export interface ReasonDeclaration {
  readonly condition: FailureCondition;
  /** The condition's reason on the wire, `None` without a condition. Add, never rename. */
  readonly reason: FailureReason | 'None';
  readonly meaning: string;
  readonly advice: string;
  readonly retry: RetryClass;
  /** How far apart tries are at most, where a look is cheap and somebody is probably at work; minutes without it. */
  readonly recheckMs?: number;
}

const target = (kind: ErrorKind, meaning: string, advice: string): ReasonDeclaration => ({
  condition: 'TargetClusterResolved',
  reason: kind,
  meaning,
  advice,
  retry: 'retry',
});

const install = (meaning: string, advice: string, retry: RetryClass = 'retry'): ReasonDeclaration => ({
  condition: 'InstallSucceeded',
  reason: 'Error',
  meaning,
  advice,
  retry,
});

const internal = (meaning: string, advice: string, retry: RetryClass): ReasonDeclaration => ({
  condition: 'none',
  reason: 'None',
  meaning,
  advice,
  retry,
});

/** The one table from the kind of a failure to what the resource shows and what happens next. */
export const failureReasons: Readonly<Record<ErrorKind, ReasonDeclaration>> = {
  ClusterProfileNotFound: target(
    'ClusterProfileNotFound',
    'The ClusterProfile that the resource names does not exist, or the hub has no ClusterProfile CRD.',
    'Create the ClusterProfile, or correct spec.destination by deleting and re-creating the resource.',
  ),
  ClusterProfileNotReady: target(
    'ClusterProfileNotReady',
    'Condition ControlPlaneHealthy of the ClusterProfile is missing or not True.',
    'Ask the owner of the cluster inventory why the cluster is unhealthy.',
  ),
  ClusterProfileUnavailable: target(
    'ClusterProfileUnavailable',
    'The hub did not let the ClusterProfile be read.',
    "Check the hub API server and the operator's right to get clusterprofiles.",
  ),
  MulticlusterDisabled: target(
    'MulticlusterDisabled',
    'The resource names a ClusterProfile, but no access provider file is configured, or the configured one does not exist.',
    'Start the worker with --clusterprofile-provider-file, and create the file that it names.',
  ),
  AccessProviderFailed: target(
    'AccessProviderFailed',
    'No access provider matches the ClusterProfile, or its credential plugin failed.',
    'Compare the provider names in the ClusterProfile status with the provider file; run the plugin by hand.',
  ),
  RemoteClientCreationFailed: target(
    'RemoteClientCreationFailed',
    'The spoke refused the credentials, or its TLS certificate does not fit the ClusterProfile.',
    'Check certificate-authority-data of the ClusterProfile and the credentials that the plugin returns.',
  ),
  SpokeUnreachable: target(
    'SpokeUnreachable',
    'The API server of the spoke could not be reached: refused, timed out, dropped, or its name was not found.',
    'Check the address in the ClusterProfile, the network path and firewalls from the worker to the spoke.',
  ),
  SpokeForbidden: target(
    'SpokeForbidden',
    'The spoke knows the credentials but forbids something that is needed.',
    'Grant the spoke role that ships with this software to the account that the plugin uses.',
  ),
  RemoteClusterStale: target(
    'RemoteClusterStale',
    'The access data of the ClusterProfile just changed and the connection is being renewed.',
    'Nothing; it heals with the next try.',
  ),
  TargetClusterConflict: target(
    'TargetClusterConflict',
    'Another component of this kind owns the cluster, or its cleanup still runs there.',
    'Delete the other resource, or wait for its cleanup.',
  ),
  TargetClusterChanged: target(
    'TargetClusterChanged',
    'A different cluster answers at the address than the one that the component was installed on.',
    'Restore the old cluster, or accept the new one with annotation fleet.knative.dev/accept-cluster.',
  ),
  Paused: {
    ...target(
      'Paused',
      'A person holds every write to the target: spec.paused or annotation fleet.knative.dev/suspend.',
      'Unset spec.paused, or remove the annotation.',
    ),
    retry: 'wait',
  },
  GoOperatorActive: {
    ...target(
      'GoOperatorActive',
      'A Go operator renews its leader Lease on this hub. Nothing is written to the target until it stops.',
      'Scale the Deployment of the Go operator to zero, or stop this software.',
    ),
    recheckMs: 20_000,
  },
  VersionNotEligible: {
    condition: 'VersionMigrationEligible',
    reason: 'Error',
    meaning: 'The wanted version is not one that the installed version can move to.',
    advice: 'Move one minor version at a time by changing spec.version.',
    retry: 'wait',
  },
  SpecInvalid: install(
    'A field of the resource has a value that cannot be used.',
    'Correct the field that the message names.',
    'wait',
  ),
  ReleaseUnavailable: install(
    'The manifests of the wanted version or plug-in are not available.',
    'Choose an available version, or make the release available.',
  ),
  ManifestInvalid: install(
    'A manifest is not valid YAML, not a Kubernetes object, or does not fit the version.',
    'Correct the manifest at the place that the message names.',
  ),
  KindUnavailable: {
    ...install(
      'The target cluster does not know a kind that the release needs.',
      'Install what provides the kind, such as Istio, or disable the plug-in that needs it.',
    ),
    recheckMs: 20_000,
  },
  ApplyRejected: install(
    'The API server of the target refused an object for good.',
    'Read the message; an override may be invalid, or an immutable field may have to change.',
  ),
  ApplyConflict: install(
    'Another field manager owns a field that the release sets.',
    'Let the other manager give up the field, or take the override out of the resource.',
  ),
  CrdNotEstablished: install(
    'A CustomResourceDefinition was applied but the API server does not serve it.',
    'Look at the conditions of the CustomResourceDefinition on the target.',
  ),
  NamespaceTerminating: install(
    'The install namespace is being deleted.',
    'Wait until it is gone, or look at what holds it.',
  ),
  ApiTransient: install('The API server answers with errors or throttles.', 'Nothing; it is tried again.'),
  NotFound: install('Something vanished in the middle of a pass.', 'Nothing; it is tried again.'),
  Conflict: install('Two writers met on one object.', 'Nothing; it is tried again.'),
  FinalizationBlocked: internal(
    'Objects on the target cluster could not be removed yet.',
    'Look at condition Finalizing: it names what remains and who blocks it.',
    'retry',
  ),
  Superseded: internal('The resource changed in the middle of a pass.', 'Nothing.', 'restart'),
  PlanChanged: internal('The release rendered differently from the plan.', 'Nothing.', 'restart'),
  ResourceGone: internal('The resource no longer exists on the hub.', 'Nothing.', 'restart'),
  HubUnavailable: internal('The hub API server did not answer.', 'Check the hub API server.', 'retry'),
  Internal: install('A defect of this software.', 'Report it with the log of the worker.', 'bug'),
};

/** Reasons of conditions that show progress, not a failure. */
export const progressReasons = {
  NotReady: {
    condition: 'DeploymentsAvailable',
    meaning: 'Workloads on the target are not ready yet. The message names them.',
    advice: 'Nothing while they start; else look at their pods on the target.',
  },
  Blocked: {
    condition: 'Finalizing',
    meaning:
      'The removal of a deleted resource cannot go on. The message says what remains and who blocks it.',
    advice:
      'Remove what blocks it, or bring the target back; give up a target that is gone by a forced cleanup.',
  },
  Paused: {
    condition: 'Finalizing',
    meaning: 'A person holds every write to the target, and with it the removal.',
    advice: 'Unset spec.paused, or remove annotation fleet.knative.dev/suspend.',
  },
} as const;

const knownReasons: ReadonlySet<string> = new Set([
  ...Object.values(failureReasons).map(({ reason }) => reason),
  ...Object.keys(progressReasons),
]);

/** The reason where it is one of ours, so that what others write into a status does not grow without bound. */
export function boundedReason(reason: string): string {
  return reason === '' || knownReasons.has(reason) ? reason : 'Other';
}
