import { heartbeat } from '@temporalio/activity';

import type { ClusterClient, ListableKind } from '../../adapters/kubernetes/cluster-client.ts';
import type { HeldClaim } from '../../adapters/target/claim-store.ts';
import type { InventoryStore } from '../../adapters/target/inventory-store.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import type { Inventory, InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { removalStages } from '../../domain/manifests/removal-stages.ts';
import { isRuntimeLeftover } from '../../domain/manifests/runtime-leftovers.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { OpenTarget } from '../pass/open-target.ts';
import type { TargetWithClaim } from './open-with-claim.ts';
import { disownEntries } from './disown-entries.ts';
import { convertingCrds, dropConversion } from './drop-conversion.ts';
import { freezeAggregatedRoles } from './freeze-aggregated-roles.ts';
import { joinInventory } from './join-inventory.ts';
import { rebuildInventory } from './rebuild-inventory.ts';
import { isAnchorOf, removeAnchor } from './remove-anchor.ts';
import { lookIntoNamespaces } from './look-into-namespaces.ts';
import type { Inside } from './look-into-namespaces.ts';
import type { Mark } from './our-mark.ts';
import { removeEntries } from './remove-entries.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { removeNamespaces } from './remove-namespaces.ts';
import type { NamespaceRemoval } from './remove-namespaces.ts';
import { createTally } from './removal-tally.ts';
import type { RemovalReport } from './removal-tally.ts';
import { removeRemnants } from './remove-remnants.ts';
import type { RemovedComponent } from './removed-component.ts';
import { verifyAbsent } from './verify-absent.ts';

/**
 * Removes one component from its target in an order that leaves the cluster's API usable at every point: webhook
 * configurations and the conversion of the CRDs that stay first, then the rest against the order of installation.
 * Deletes nothing when the claim names another component: what is recorded joins that one's inventory. Idempotent.
 */
export async function removeComponent(
  deps: ActivityDependencies,
  component: RemovedComponent,
  { target, held }: TargetWithClaim,
): Promise<RemovalReport> {
  const { ref, uid } = component;
  if (held !== undefined && held.record.uid !== uid) {
    await joinInventory(deps, component, target);
    return { ...nothingOfOurs, owner: held.record };
  }
  if (component.policy === 'Retain') {
    if (held !== undefined) await retain(deps, component, target, held);
    return { ...nothingOfOurs, retained: true };
  }
  const [marked, copies, converting] = await Promise.all([
    held && markFinalizing(deps, target, held),
    readCopies(deps, component, target),
    convertingCrds(target.client, ref.kind),
  ]);
  const inventory = await chooseInventory(copies, component, target);
  const report = await removeAll(target, ref, { inventory, converting });
  if (report.remaining.length > 0) return report;
  await removeCopies(copies, uid);
  // Last: whoever gets the claim next writes an inventory of the same name.
  if (marked !== undefined) await deps.target.claims(target.client).remove(marked);
  return report;
}

/** How much is left and what holds it, for people. */
export function describeBlocked(report: RemovalReport): string {
  const shown = report.blockers.slice(0, 3).join('; ');
  return `${String(report.remaining.length)} objects remain on the target: ${shown}`;
}

const nothingOfOurs: RemovalReport = { removed: 0, remaining: [], blockers: [], retained: false, kept: [] };

/** On the hub the resource owns the objects: the collector must not follow it. */
async function retain(
  deps: ActivityDependencies,
  component: RemovedComponent,
  target: OpenTarget,
  held: HeldClaim,
): Promise<void> {
  if (target.local) {
    const { entries } = await chooseInventory(await readCopies(deps, component, target), component, target);
    await disownEntries(target.client, entries, component.uid);
  }
  await deps.target.claims(target.client).replace(held, { ...held.record, state: 'Retained' });
}

async function markFinalizing(
  deps: ActivityDependencies,
  target: OpenTarget,
  held: HeldClaim,
): Promise<HeldClaim> {
  if (held.record.state === 'Finalizing') return held;
  return deps.target.claims(target.client).replace(held, { ...held.record, state: 'Finalizing' });
}

interface Copy {
  readonly store: InventoryStore;
  readonly content: Inventory | undefined;
}

/** On the target and on the hub. */
async function readCopies(
  deps: ActivityDependencies,
  { ref, uid }: RemovedComponent,
  target: OpenTarget,
): Promise<readonly Copy[]> {
  const stores = [deps.target.inventory(target.client, ref), deps.target.mirror(ref, uid)];
  return Promise.all(stores.map(async (store) => ({ store, content: await store.read() })));
}

/** Each as it was read: what joined since must be removed first, and what is another one's stays. */
async function removeCopies(copies: readonly Copy[], uid: string): Promise<void> {
  const ours = copies.filter(({ content }) => (content?.uid ?? uid) === uid);
  await Promise.all(ours.map(({ store }) => store.remove()));
}

async function chooseInventory(
  copies: readonly Copy[],
  component: RemovedComponent,
  target: OpenTarget,
): Promise<Inventory> {
  const found = copies.find(
    ({ content }) => content?.uid === component.uid && content.digest !== '',
  )?.content;
  if (found !== undefined) return found;
  heartbeat('rebuilding the inventory');
  return rebuildInventory(component, target);
}

interface Found {
  readonly inventory: Inventory;
  /** Names of the CRDs whose conversion is served by what is removed. */
  readonly converting: readonly string[];
}

async function removeAll(
  target: OpenTarget,
  ref: ComponentRef,
  { inventory, converting }: Found,
): Promise<RemovalReport> {
  const { client } = target;
  const mark = { uid: inventory.uid, anchorUID: target.local ? '' : inventory.anchorUID };
  const tally = createTally();
  const goes = (object: ManifestObject): boolean =>
    object.metadata.namespace === inventory.installNamespace &&
    (isRuntimeLeftover(object) || isAnchorOf(object, ref));
  const { objects, namespaces } = removalStages(inventory.entries);
  const known = ofOurs(namespaces, inventory, target);
  let kinds: readonly ListableKind[] = [];
  let inside: ReadonlyMap<string, Inside> = new Map();
  for (const { name, entries } of objects) {
    const of = inventory.entries.length;
    heartbeat({ removed: tally.removed(), of, component: formatComponentRef(ref) });
    // Aggregated roles are in no namespace, so those can be looked into meanwhile.
    const [removal, listable, seen] = await Promise.all([
      removeEntries(client, entries, mark),
      name === 'access' ? client.listableKinds() : kinds,
      name === 'aggregated roles' ? lookIntoNamespaces(client, known, { kinds, goes }) : inside,
      name === 'webhooks' && prepareRemoval(client, { inventory, converting }, mark),
    ]);
    kinds = listable;
    inside = seen;
    tally.add(removal, await verifyAbsent(client, removal));
  }
  if (tally.isBlocked()) return tally.report([]);
  const surroundings = await removeSurroundings(target, ref, { inventory, namespaces: known, mark, inside });
  tally.add(surroundings);
  return tally.report(surroundings.kept);
}

/** What must come before the first workload and the first role go. */
async function prepareRemoval(
  client: ClusterClient,
  { inventory, converting }: Found,
  mark: Mark,
): Promise<void> {
  await Promise.all([
    dropConversion(client, converting),
    freezeAggregatedRoles(client, inventory.entries, mark),
  ]);
}

/** The install namespace of the local cluster is the resource's own, and never ours. */
function ofOurs(
  namespaces: readonly InventoryEntry[],
  { installNamespace }: Inventory,
  { local }: OpenTarget,
): readonly InventoryEntry[] {
  const never = local ? installNamespace : '';
  return namespaces.filter(({ name, adopted }) => adopted === true || name !== never);
}

interface Surroundings {
  readonly inventory: Inventory;
  readonly namespaces: readonly InventoryEntry[];
  readonly mark: Mark;
  /** In the namespaces, as of a moment ago. */
  readonly inside: ReadonlyMap<string, Inside>;
}

/** What is left when all objects are gone: the anchor, what Knative made at run time, and the namespaces. */
async function removeSurroundings(
  target: OpenTarget,
  ref: ComponentRef,
  { inventory, namespaces, mark, inside }: Surroundings,
): Promise<NamespaceRemoval> {
  const { client } = target;
  const { installNamespace, entries } = inventory;
  const [removal] = await Promise.all([
    removeNamespaces(client, namespaces, { mark, inside }),
    target.local ? undefined : removeAnchor(target, ref, mark.anchorUID),
    removeLeftovers(client, installNamespace),
    removeRemnants(
      client,
      entries.filter((entry) => entry.aggregated === true),
    ),
  ]);
  return removal;
}
