import type { ClusterClient, ListableKind } from '../../adapters/kubernetes/cluster-client.ts';
import { isOperatorError, messageOf } from '../../domain/errors.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { describeIdentity, identityOf } from '../../domain/manifests/object.ts';
import { derivedKinds } from '../../domain/manifests/runtime-leftovers.ts';
import { entryRef } from './remove-entries.ts';

/** Whether an object in a namespace is known to go with the component, although it has no owner that goes. */
export type Goes = (object: ManifestObject) => boolean;

/** What speaks against the removal of a namespace. */
export interface Foreign {
  readonly objects: readonly string[];
  /** Kinds that may not be listed. */
  readonly forbidden: readonly string[];
  /** Kinds that the server does not list, or whose own server does not answer, each with why. */
  readonly failed: readonly string[];
  /** Kinds that could not be listed just now, each with why: nothing is known before the next try. */
  readonly unanswered: readonly string[];
}

/** A namespace that was looked into. */
export interface Inside extends Foreign {
  /** Its metadata; undefined when it is gone. */
  readonly namespace: ManifestObject | undefined;
}

/** No server has no kinds: without a look nothing may be taken for empty. */
const notLookedAt: Foreign = { objects: [], forbidden: [], failed: [], unanswered: ['any kind'] };

const nothing: Foreign = { objects: [], forbidden: [], failed: [], unanswered: [] };

interface Look {
  /** What the target can list. */
  readonly kinds: readonly ListableKind[];
  readonly goes: Goes;
}

/** Looks for anything foreign in each namespace that we made. Writes nothing. */
export async function lookIntoNamespaces(
  client: ClusterClient,
  entries: readonly InventoryEntry[],
  { kinds, goes }: Look,
): Promise<ReadonlyMap<string, Inside>> {
  const made = entries.filter(({ adopted }) => adopted !== true);
  return new Map(
    await Promise.all(
      made.map(async (entry) => {
        const { name } = entry;
        const [namespace, foreign] = await Promise.all([
          client.get(entryRef(entry), { metadataOnly: true }),
          lookInto(client, kinds, { namespace: name, goes }),
        ]);
        return [name, { namespace, ...foreign }] as const;
      }),
    ),
  );
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
  if (looked.length === 0) return notLookedAt;
  const lists = await Promise.all(looked.map((kind) => listForeign(client, kind, place)));
  return {
    objects: lists.flatMap(({ objects }) => objects),
    forbidden: lists.flatMap(({ forbidden }) => forbidden),
    failed: lists.flatMap(({ failed }) => failed),
    unanswered: lists.flatMap(({ unanswered }) => unanswered),
  };
}

async function listForeign(
  client: ClusterClient,
  type: ListableKind,
  { namespace, goes }: Place,
): Promise<Foreign> {
  try {
    const found = await client.list(type.apiVersion, type.kind, { namespace, metadataOnly: true });
    const foreign = found.filter((object) => !isDerived(object) && !goes(object));
    return { ...nothing, objects: foreign.map((object) => describeIdentity(identityOf(object))) };
  } catch (error) {
    if (isOperatorError(error, 'SpokeForbidden')) return { ...nothing, forbidden: [type.kind] };
    const why = [`${type.kind} (${messageOf(error)})`];
    const lasting = type.kind === '*' || isOperatorError(error, 'ApplyRejected');
    return lasting ? { ...nothing, failed: why } : { ...nothing, unanswered: why };
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
