import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { notLookedAt } from './look-into-namespaces.ts';
import type { Foreign } from './look-into-namespaces.ts';
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
  /** What is foreign in each of the namespaces, by name. One that was not looked into stays. */
  readonly foreign: ReadonlyMap<string, Foreign>;
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
  { mark, foreign }: Rules,
): Promise<NamespaceRemoval> {
  const [adopted, made] = [true, false].map((wanted) =>
    entries.filter((entry) => (entry.adopted === true) === wanted),
  );
  const released = await removeEntries(client, adopted ?? [], mark);
  const removal = await removeMade(client, made ?? [], { mark, foreign });
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
    removed: entries.filter((_, index) => outcomes[index] !== 'terminating' && !isBlocked(outcomes[index])),
    remaining,
    blockers: remaining.map(({ name }) => `Namespace ${name} is terminating`),
  });
  const blocked = entries.filter((_, index) => isBlocked(outcomes[index]));
  const kept = outcomes.flatMap((outcome) =>
    typeof outcome === 'object' && 'kept' in outcome ? [outcome.kept] : [],
  );
  return {
    removed: removal.removed,
    remaining: [...removal.remaining, ...blocked],
    blockers: [...removal.blockers, ...outcomes.filter(isBlocked).map((outcome) => outcome.blocked)],
    kept,
  };
}

type Outcome = 'terminating' | 'none of ours' | { readonly kept: string } | Blocked;

/** Nobody knows yet whether it may go. */
interface Blocked {
  readonly blocked: string;
}

function isBlocked(outcome: Outcome | undefined): outcome is Blocked {
  return typeof outcome === 'object' && 'blocked' in outcome;
}

/** Lets the namespace go if it is ours and holds nothing foreign; one that stays is none of ours any more. */
async function terminateIfOurs(
  client: ClusterClient,
  entry: InventoryEntry,
  { mark, foreign }: Rules,
): Promise<Outcome> {
  const found = await client.get(entryRef(entry), { metadataOnly: true });
  if (found === undefined || !isOurs(found, entry, mark)) return 'none of ours';
  const { uid, deletionTimestamp } = found.metadata;
  if (deletionTimestamp !== undefined) return 'terminating';
  const seen = foreign.get(entry.name) ?? notLookedAt;
  const kept = keptBecause(entry.name, seen);
  if (kept !== undefined) return { kept };
  if (seen.unanswered.length > 0) {
    return { blocked: `Namespace ${entry.name} could not be looked at for ${shortList(seen.unanswered)}` };
  }
  await client.delete(entryRef(entry), { uid, propagation: 'Background' });
  return 'terminating';
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
