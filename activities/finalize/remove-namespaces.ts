import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { Foreign, Inside } from './look-into-namespaces.ts';
import { isMarked } from './our-mark.ts';
import type { Mark } from './our-mark.ts';
import { entryRef, removeEntries } from './remove-entries.ts';
import type { Removal } from './remove-entries.ts';
import { verifyAbsent } from './verify-absent.ts';

/** What removing namespaces came to; `kept` says for people why some that we made stay. */
export interface NamespaceRemoval extends Removal {
  readonly kept: readonly string[];
}

interface Rules {
  readonly mark: Mark;
  /** What is in each of the namespaces, by name, as of a moment ago. One that was not looked into stays. */
  readonly inside: ReadonlyMap<string, Inside>;
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
  { mark, inside }: Rules,
): Promise<NamespaceRemoval> {
  const [adopted, made] = [true, false].map((wanted) =>
    entries.filter((entry) => (entry.adopted === true) === wanted),
  );
  const released = await removeEntries(client, adopted ?? [], mark);
  const removal = await removeMade(client, made ?? [], { mark, inside });
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
  const outcomes = await Promise.all(
    entries.map(async (entry) => ({ entry, ...(await terminateIfOurs(client, entry, rules)) })),
  );
  const having = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state);
  const going = having('terminating').map(({ entry }) => entry);
  const verified = await verifyAbsent(client, {
    removed: [],
    remaining: going,
    blockers: going.map(({ name }) => `Namespace ${name} is terminating`),
  });
  const blocked = having('blocked');
  return {
    removed: verified.removed,
    remaining: [...verified.remaining, ...blocked.map(({ entry }) => entry)],
    blockers: [...verified.blockers, ...blocked.map(({ why }) => why)],
    kept: having('kept').map(({ why }) => why),
  };
}

interface Outcome {
  /** `blocked`: nobody knows yet whether it may go. */
  readonly state: 'terminating' | 'not ours' | 'kept' | 'blocked';
  /** For people; of one that stays. */
  readonly why: string;
}

const terminating: Outcome = { state: 'terminating', why: '' };

/** Lets the namespace go if it is ours and holds nothing foreign; one that stays is none of ours any more. */
async function terminateIfOurs(
  client: ClusterClient,
  entry: InventoryEntry,
  { mark, inside }: Rules,
): Promise<Outcome> {
  const seen = inside.get(entry.name);
  if (seen === undefined) return { state: 'blocked', why: `Namespace ${entry.name} was not looked into` };
  const { namespace } = seen;
  if (namespace === undefined || !isOurs(namespace, entry, mark)) return { state: 'not ours', why: '' };
  const { uid, deletionTimestamp } = namespace.metadata;
  if (deletionTimestamp !== undefined) return terminating;
  const kept = keptBecause(entry.name, seen);
  if (kept !== undefined) return { state: 'kept', why: kept };
  if (seen.unanswered.length > 0) {
    const why = `Namespace ${entry.name} could not be looked at for ${shortList(seen.unanswered)}`;
    return { state: 'blocked', why };
  }
  await client.delete(entryRef(entry), { uid, propagation: 'Background' });
  return terminating;
}

/** Without a UID the install ended before it was recorded: then the mark says who made it, unless it is older. */
function isOurs(found: ManifestObject, entry: InventoryEntry, mark: Mark): boolean {
  const { uid, creationTimestamp = '' } = found.metadata;
  if (creationTimestamp < entry.since) return false;
  return entry.uid === undefined ? isMarked(found, mark) : uid === entry.uid;
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
