import type { ClusterClient, ListableKind } from '../../adapters/kubernetes/cluster-client.ts';
import { messageOf } from '../../domain/errors.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { describeIdentity, identityOf } from '../../domain/manifests/object.ts';
import { derivedKinds } from '../../domain/manifests/runtime-leftovers.ts';
import type { Mark } from './our-mark.ts';
import { entryRef, removeEntries } from './remove-entries.ts';
import type { Removal } from './remove-entries.ts';
import { verifyAbsent } from './verify-absent.ts';

/**
 * Removes those namespaces that we made and in which nothing foreign is. Any object of a listable kind that is not
 * derived from ours is foreign, and a kind that cannot be listed keeps the namespace: user data is never removed. In
 * namespaces that were there before us only our fields are released.
 */
export async function removeNamespaces(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
  mark: Mark,
): Promise<Removal> {
  const [adopted, made] = [true, false].map((wanted) =>
    entries.filter((entry) => (entry.adopted === true) === wanted),
  );
  const released = await removeEntries(client, adopted ?? [], mark);
  const removal = await removeMade(client, made ?? []);
  return {
    removed: [...released.removed, ...removal.removed],
    remaining: [...released.remaining, ...removal.remaining],
    blockers: [...released.blockers, ...removal.blockers],
  };
}

async function removeMade(client: ClusterClient, entries: readonly InventoryEntry[]): Promise<Removal> {
  const terminating = await Promise.all(entries.map((entry) => terminateIfOurs(client, entry)));
  const remaining = entries.filter((_, index) => terminating[index]);
  return verifyAbsent(client, {
    removed: entries.filter((_, index) => terminating[index] === false),
    remaining,
    blockers: remaining.map(({ name }) => `Namespace ${name} is terminating`),
  });
}

/** Whether the namespace goes now; one that stays is none of ours any more. */
async function terminateIfOurs(client: ClusterClient, entry: InventoryEntry): Promise<boolean> {
  if (entry.uid === undefined) return false;
  const { metadata } = (await client.get(entryRef(entry), { metadataOnly: true })) ?? {};
  if (metadata?.uid !== entry.uid || (metadata.creationTimestamp ?? '') < entry.since) return false;
  if (metadata.deletionTimestamp !== undefined) return true;
  if ((await foreignObjects(client, entry.name)).length > 0) return false;
  await client.delete(entryRef(entry), { uid: entry.uid, propagation: 'Background' });
  return true;
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
