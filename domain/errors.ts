/**
 * Why an operation failed, as a closed set. Names are wire values: they are the `type` of Temporal failures, so add,
 * never rename. `domain/status/reasons.ts` maps each kind to a retry class and to a condition reason.
 */
export type ErrorKind =
  // The target cluster cannot be used (condition TargetClusterResolved).
  | 'ClusterProfileNotFound'
  | 'ClusterProfileNotReady'
  | 'ClusterProfileUnavailable'
  | 'MulticlusterDisabled'
  | 'AccessProviderFailed'
  | 'RemoteClientCreationFailed'
  | 'SpokeUnreachable'
  | 'SpokeForbidden'
  | 'RemoteClusterStale'
  | 'TargetClusterConflict'
  | 'TargetClusterChanged'
  // The wanted version cannot follow the installed one (condition VersionMigrationEligible).
  | 'VersionNotEligible'
  // The resource asks for something that cannot be rendered or installed (condition InstallSucceeded).
  | 'SpecInvalid'
  | 'ReleaseUnavailable'
  | 'ManifestInvalid'
  | 'KindUnavailable'
  | 'ApplyRejected'
  | 'ApplyConflict'
  | 'CrdNotEstablished'
  | 'NamespaceTerminating'
  // The cluster answered, but not now: 429, 5xx, a cut connection in mid-answer.
  | 'ApiTransient'
  // A read found nothing, or a write lost a race on resourceVersion or UID.
  | 'NotFound'
  | 'Conflict'
  // Objects remain on the target that could not be removed yet.
  | 'FinalizationBlocked'
  // A person holds every write to the target.
  | 'Paused'
  // A Go operator works on the same resources.
  | 'GoOperatorActive'
  // The hub side of a pass.
  | 'Superseded'
  | 'ResourceGone'
  | 'HubUnavailable'
  // The release was rendered differently from what the pass had planned.
  | 'PlanChanged'
  // A defect of this software.
  | 'Internal';

/** Facts for logs and status messages; never a credential, a manifest or an API error body. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The one error class of the project. The message names the object, the cause and what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly kind: ErrorKind;
  readonly details: ErrorDetails;

  constructor(kind: ErrorKind, message: string, options: { cause?: unknown; details?: ErrorDetails } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.details = options.details ?? {};
  }
}

export function isOperatorError(error: unknown, kind?: ErrorKind): error is OperatorError {
  return error instanceof OperatorError && (kind === undefined || error.kind === kind);
}

/** The message of anything that can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
