import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { isInventoried } from '../../domain/manifests/inventory.ts';
import type { ManifestObject, ObjectMeta } from '../../domain/manifests/object.ts';
import { keyOf } from '../../domain/manifests/object.ts';

/** What the control plane itself writes while nobody does anything. */
const ownLife: readonly RegExp[] = [/Event\//, /\/Lease\/kube-/, /\/APIService\//];

/** The metadata of everything on a cluster, by identity; without events and heartbeats of the control plane. */
export async function liveObjects(client: ClusterClient): Promise<ReadonlyMap<string, ManifestObject>> {
  const kinds = await client.listableKinds();
  const lists = await Promise.all(
    kinds.map(({ apiVersion, kind }) => client.list(apiVersion, kind, { metadataOnly: true })),
  );
  const objects = lists.flat().map((object) => [keyOf(object), object] as const);
  return new Map(objects.filter(([key]) => !ownLife.some((pattern) => pattern.test(key))));
}

/** Identities of what the operator itself applied and marked as its own, CRDs left out; sorted. */
export async function ownedKeys(client: ClusterClient): Promise<readonly string[]> {
  const objects = [...(await liveObjects(client))];
  return objects
    .filter(([, object]) => isInventoried(object))
    .filter(([, { metadata }]) => isMarked(metadata) && isApplied(metadata))
    .map(([key]) => key)
    .toSorted();
}

function isMarked({ annotations }: ObjectMeta): boolean {
  return annotations?.[wireNames.ownerAnnotation] !== undefined;
}

/** What controllers derive from an object may carry its annotations. */
function isApplied({ managedFields = [] }: ObjectMeta): boolean {
  return managedFields.some(({ manager }) => manager === wireNames.fieldManager);
}

/** Identity to resourceVersion: equal before and after means that nothing was written in between. */
export async function resourceVersions(client: ClusterClient): Promise<Readonly<Record<string, string>>> {
  const objects = [...(await liveObjects(client))];
  return Object.fromEntries(objects.map(([key, { metadata }]) => [key, metadata.resourceVersion ?? '']));
}
