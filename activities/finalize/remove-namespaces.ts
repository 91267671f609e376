import type { ClusterClient, ListableKind } from '../../adapters/kubernetes/cluster-client.ts';
import { isOperatorError, messageOf } from '../../domain/errors.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { describeIdentity, identityOf } from '../../domain/manifests/object.ts';
import { derivedKinds } from '../../domain/manifests/runtime-leftovers.ts';
import { isMarked } from './our-mark.ts';
import type { Mark } from './our-mark.ts';
import { entryRef, removeEntries } from './remove-entries.ts';
import type { Removal } from './remove-entries.ts';
import { verifyAbsent } from './verify-absent.ts';

/** What removing namespaces came to; `kept` says for people why some that we made stay. */
export interface NamespaceRemoval extends Removal {
  readonly kept: readonly string[];
}

/** Whether an object in a namespace is known to go with the component, although it has no owner that goes. */
type Goes = (object: ManifestObject) => boolean;

interface Rules {
  readonly mark: Mark;
  readonly goes: Goes;
  /** What the target can list. */
  readonly kinds: readonly ListableKind[];
}

const maxNamed = 40;

/**
 * Removes those namespaces that we made and in which nothing foreign is. Any object of a listable kind that is not
 * derived from ours is foreign, and a kind that cannot be listed keeps the namespace: user data is never removed. In
 * namespaces that were there before us only our fields are released.
 */
export async function removeNamespaces(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
  { mark, goes, kinds }: Rules,
): Promise<NamespaceRemoval> {
  const [adopted, made] = [true, false].map((wanted) =>
    entries.filter((entry) => (entry.adopted === true) === wanted),
  );
  const released = await removeEntries(client, adopted ?? [], mark);
  const removal = await removeMade(client, made ?? [], { mark, goes, kinds });
  return {
    removed: [...released.removed, ...removal.removed],
    remaining: [...released.remaining, ...removal.remaining],
    blockers: [...released.blockers, ...removal.blockers],
    kept: removal.kept,
  };
}

async function removeMade(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
  rules: Rules,
): Promise<NamespaceRemoval> {
  const outcomes = await Promise.all(entries.map((entry) => terminateIfOurs(client, entry, rules)));
  const remaining = entries.filter((_, index) => outcomes[index] === 'terminating');
  const removal = await verifyAbsent(client, {
    removed: entries.filter((_, index) => outcomes[index] !== 'terminating'),
    remaining,
    blockers: remaining.map(({ name }) => `Namespace ${name} is terminating`),
  });
  const kept = outcomes.flatMap((outcome) => (typeof outcome === 'object' ? [outcome.kept] : []));
  return { ...removal, kept };
}

type Outcome = 'terminating' | 'none of ours' | { readonly kept: string };

/** Lets the namespace go if it is ours and holds nothing foreign; one that stays is none of ours any more. */
async function terminateIfOurs(
  client: ClusterClient,
  entry: InventoryEntry,
  { mark, goes, kinds }: Rules,
): Promise<Outcome> {
  const [found, foreign] = await Promise.all([
    client.get(entryRef(entry), { metadataOnly: true }),
    lookInto(client, kinds, { namespace: entry.name, goes }),
  ]);
  if (found === undefined || !isOurs(found, entry, mark)) return 'none of ours';
  const { uid, deletionTimestamp } = found.metadata;
  if (deletionTimestamp !== undefined) return 'terminating';
  const kept = keptBecause(entry.name, foreign);
  if (kept !== undefined) return { kept };
  await client.delete(entryRef(entry), { uid, propagation: 'Background' });
  return 'terminating';
}

/** Without a UID the install ended before it was recorded: then the mark says who made it, unless it is older. */
function isOurs(found: ManifestObject, entry: InventoryEntry, mark: Mark): boolean {
  const { uid, creationTimestamp = '' } = found.metadata;
  if (creationTimestamp < entry.since) return false;
  return entry.uid === undefined ? isMarked(found, mark) : uid === entry.uid;
}

interface Foreign {
  readonly objects: readonly string[];
  /** Kinds that may not be listed. */
  readonly forbidden: readonly string[];
  /** Kinds that could not be listed, each with why. */
  readonly failed: readonly string[];
}

/** Undefined when nothing speaks against the removal. */
function keptBecause(namespace: string, { objects, forbidden, failed }: Foreign): string | undefined {
  const reasons = [
    ...(objects.length === 0 ? [] : [`it holds ${shortList(objects)}`]),
    ...(forbidden.length === 0 ? [] : [`the account may not list ${shortList(forbidden)} in it`]),
    ...(failed.length === 0 ? [] : [`it could not be looked at for ${shortList(failed)}`]),
  ];
  return reasons.length === 0
    ? undefined
    : `namespace ${namespace} stays on the target, because ${reasons.join(', and ')}`;
}

function shortList(texts: readonly string[]): string {
  const all = [...new Set(texts)].toSorted();
  const named = all.slice(0, maxNamed).join(', ');
  return all.length > maxNamed ? `${named} and ${String(all.length - maxNamed)} more` : named;
}

interface Place {
  readonly namespace: string;
  readonly goes: Goes;
}

async function lookInto(
  client: ClusterClient,
  kinds: readonly ListableKind[],
  place: Place,
): Promise<Foreign> {
  const looked = kinds.filter((kind) => kind.namespaced && !isAnswerOnly(kind));
  // No server has none: without a look nothing may be taken for empty.
  if (looked.length === 0) return { objects: [], forbidden: [], failed: ['any kind'] };
  const lists = await Promise.all(looked.map((kind) => listForeign(client, kind, place)));
  return {
    objects: lists.flatMap(({ objects }) => objects),
    forbidden: lists.flatMap(({ forbidden }) => forbidden),
    failed: lists.flatMap(({ failed }) => failed),
  };
}

async function listForeign(
  client: ClusterClient,
  type: ListableKind,
  { namespace, goes }: Place,
): Promise<Foreign> {
  const nothing: Foreign = { objects: [], forbidden: [], failed: [] };
  try {
    const found = await client.list(type.apiVersion, type.kind, { namespace, metadataOnly: true });
    const foreign = found.filter((object) => !isDerived(object) && !goes(object));
    return { ...nothing, objects: foreign.map((object) => describeIdentity(identityOf(object))) };
  } catch (error) {
    return isOperatorError(error, 'SpokeForbidden')
      ? { ...nothing, forbidden: [type.kind] }
      : { ...nothing, failed: [`${type.kind} (${messageOf(error)})`] };
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
