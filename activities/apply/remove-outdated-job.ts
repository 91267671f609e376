import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { describeIdentity, identityOf } from '../../domain/manifests/object.ts';

/** Whether the API server refused a Job because what it runs can never be changed. */
export function isOutdatedJob(object: ManifestObject, error: unknown): boolean {
  return (
    object.kind === 'Job' &&
    isOperatorError(error, 'ApplyRejected') &&
    (error.details['immutable'] ?? '') !== ''
  );
}

/**
 * Deletes a Job that runs something else than the wanted one, so that this can be created. Safe to repeat. Leaves a Job
 * that neither the inventory has, nor this component or the Go operator made and throws the refusal; throws ApiTransient while a finalizer
 * holds the old one.
 */
export async function removeOutdatedJob(
  client: ClusterClient,
  job: ManifestObject,
  refusal: unknown,
  options: {
    readonly signal: AbortSignal;
    /** Of the Job that the inventory has; a former owner's is marked differently. */
    readonly recordedUID?: string | undefined;
  },
): Promise<void> {
  const { signal, recordedUID } = options;
  const { name = '', namespace } = job.metadata;
  const ref = { apiVersion: job.apiVersion, kind: job.kind, namespace, name };
  const live = await client.get(ref, { metadataOnly: true, signal });
  if (live === undefined) return;
  if (live.metadata.uid !== recordedUID && !isReplaceable(live, job)) throw refusal;
  const answer = await client.delete(ref, { uid: live.metadata.uid, signal });
  if (answer !== 'deleting') return;
  throw new OperatorError(
    'ApiTransient',
    `${describeIdentity(identityOf(job))} runs something else and is being deleted; it is created again when it is gone`,
  );
}

function isReplaceable(live: ManifestObject, job: ManifestObject): boolean {
  const annotations = live.metadata.annotations ?? {};
  const owner = job.metadata.annotations?.[wireNames.ownerAnnotation];
  if (annotations[wireNames.ownerAnnotation] !== undefined) {
    return annotations[wireNames.ownerAnnotation] === owner;
  }
  return annotations[wireNames.goOperatorAnnotation] !== undefined;
}
