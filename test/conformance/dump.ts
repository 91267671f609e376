import { wireNames } from '../../domain/api/wire-names.ts';
import { groupOf } from '../../domain/manifests/object.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';

/** Kinds that only controllers write, and the resources of the operator itself. */
const skippedKinds: ReadonlySet<string> = new Set([
  '/Event',
  'events.k8s.io/Event',
  '/Endpoints',
  'discovery.k8s.io/EndpointSlice',
  '/Pod',
  'apps/ReplicaSet',
  'apps/ControllerRevision',
  'coordination.k8s.io/Lease',
  'operator.knative.dev/KnativeServing',
  'operator.knative.dev/KnativeEventing',
]);

/**
 * Every object on a cluster that carries our field manager, without our own records and, when a component is named,
 * without what others have there.
 */
export async function dumpOwn(
  client: ClusterClient,
  componentUID?: string,
): Promise<readonly ManifestObject[]> {
  const kinds = (await client.listableKinds()).filter(
    ({ apiVersion, kind }) => !skippedKinds.has(`${groupOf(apiVersion)}/${kind}`),
  );
  const lists = await Promise.all(kinds.map(({ apiVersion, kind }) => client.list(apiVersion, kind)));
  return lists
    .flat()
    .filter((object) => isApplied(object) && !isRecordOfOurs(object))
    .filter((object) => componentUID === undefined || isOf(object, componentUID));
}

function isApplied({ metadata }: ManifestObject): boolean {
  return (metadata.managedFields ?? []).some(({ manager }) => manager === wireNames.fieldManager);
}

/** An inventory or its mirror on the hub. The claim is a Lease. */
function isRecordOfOurs({ kind, metadata }: ManifestObject): boolean {
  return kind === 'ConfigMap' && /^knative-fleet-.*inventory/.test(metadata.name ?? '');
}

function isOf({ metadata }: ManifestObject, componentUID: string): boolean {
  return (metadata.annotations?.[wireNames.ownerAnnotation] ?? componentUID) === componentUID;
}
