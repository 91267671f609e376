import type { ClusterClient, ListableKind } from '../../adapters/kubernetes/cluster-client.ts';
import { messageOf } from '../../domain/errors.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { describeIdentity, identityOf } from '../../domain/manifests/object.ts';
import { derivedKinds } from '../../domain/manifests/runtime-leftovers.ts';
import { entryRef } from './remove-entries.ts';
import type { Removal } from './remove-entries.ts';
import { verifyAbsent } from './verify-absent.ts';

/**
 * Removes the install namespace if we made it and nothing foreign is in it. Any object of a listable kind that is not
 * derived from ours is foreign, and a kind that cannot be listed keeps the namespace: user data is never removed.
 */
export async function removeNamespace(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
  name: string,
): Promise<Removal> {
  const entry = entries.find((candidate) => candidate.name === name);
  const nothing: Removal = { removed: [...entries], remaining: [], blockers: [] };
  if (entry?.uid === undefined || entry.adopted === true) return nothing;
  const found = await client.get(entryRef(entry), { metadataOnly: true });
  if (
    found === undefined ||
    found.metadata.uid !== entry.uid ||
    found.metadata.creationTimestamp === undefined
  ) {
    return nothing;
  }
  if (found.metadata.creationTimestamp < entry.since) return nothing;
  if (found.metadata.deletionTimestamp === undefined) {
    const foreign = await foreignObjects(client, name);
    if (foreign.length > 0) return nothing;
    await client.delete(entryRef(entry), { uid: entry.uid, propagation: 'Background' });
  }
  const waiting = { removed: [], remaining: [entry], blockers: [`Namespace ${name} is terminating`] };
  return verifyAbsent(client, waiting);
}

async function foreignObjects(client: ClusterClient, namespace: string): Promise<readonly string[]> {
  const kinds = (await client.listableKinds()).filter((kind) => kind.namespaced && !isAnswerOnly(kind));
  const lists = await Promise.all(kinds.map((kind) => listForeign(client, kind, namespace)));
  return lists.flat();
}

async function listForeign(
  client: ClusterClient,
  type: ListableKind,
  namespace: string,
): Promise<readonly string[]> {
  try {
    const objects = await client.list(type.apiVersion, type.kind, { namespace, metadataOnly: true });
    return objects
      .filter((object) => !isDerived(object))
      .map((object) => describeIdentity(identityOf(object)));
  } catch (error) {
    return [`${type.kind}: ${messageOf(error)}`];
  }
}

function isAnswerOnly(kind: ListableKind): boolean {
  return kind.apiVersion.startsWith('metrics.k8s.io/');
}

const everyNamespaceHas: ReadonlySet<string> = new Set([
  'ConfigMap/kube-root-ca.crt',
  'ServiceAccount/default',
]);

function isDerived(object: ManifestObject): boolean {
  const { name, ownerReferences, deletionTimestamp } = object.metadata;
  if (object.kind === 'Event' || deletionTimestamp !== undefined) return true;
  if (everyNamespaceHas.has(`${object.kind}/${name ?? ''}`)) return true;
  if ((ownerReferences ?? []).length > 0) return derivedKinds.has(object.kind) || isCollected(object);
  return object.kind === 'Endpoints' || object.kind === 'EndpointSlice';
}

/** Owned by an anchor that is gone: the collector takes it. */
function isCollected(object: ManifestObject): boolean {
  return (object.metadata.ownerReferences ?? []).some((owner) => owner.name.endsWith('-root-owner'));
}
