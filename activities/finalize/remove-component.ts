import { heartbeat } from '@temporalio/activity';

import type { HeldClaim } from '../../adapters/target/claim-store.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import type { ClaimRecord } from '../../domain/lifecycle/claim.ts';
import type { Inventory, InventoryEntry } from '../../domain/manifests/inventory.ts';
import { removalStages } from '../../domain/manifests/removal-stages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { OpenTarget } from '../pass/open-target.ts';
import { disownEntries } from './disown-entries.ts';
import { dropConversion } from './drop-conversion.ts';
import { freezeAggregatedRoles } from './freeze-aggregated-roles.ts';
import { joinInventory } from './join-inventory.ts';
import { rebuildInventory } from './rebuild-inventory.ts';
import { removeAnchor } from './remove-anchor.ts';
import { removeEntries } from './remove-entries.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { removeNamespaces } from './remove-namespaces.ts';
import { removeRemnants } from './remove-remnants.ts';
import type { RemovedComponent } from './removed-component.ts';
import { verifyAbsent } from './verify-absent.ts';

export interface RemovalReport {
  readonly removed: number;
  readonly remaining: readonly InventoryEntry[];
  readonly blockers: readonly string[];
  readonly retained: boolean;
  /** Why namespaces that we made stay, for people. */
  readonly kept: readonly string[];
  /** Who owns the target now, when the claim names another component: nothing was deleted. */
  readonly owner?: ClaimRecord | undefined;
}

/**
 * Removes one component from its target in an order that leaves the cluster's API usable at every point: webhook
 * configurations first, then the conversion of the CRDs that stay, then the rest against the order of installation.
 * Deletes nothing when the claim names another component: what is recorded joins that one's inventory. Idempotent.
 */
export async function removeComponent(
  deps: ActivityDependencies,
  component: RemovedComponent,
  target: OpenTarget,
): Promise<RemovalReport> {
  const { ref, uid } = component;
  const claims = deps.target.claims(target.client);
  const held = await claims.read(ref.kind);
  if (held !== undefined && held.record.uid !== uid) {
    await joinInventory(deps, component, target);
    return { ...nothingOfOurs, owner: held.record };
  }
  if (component.policy === 'Retain') {
    if (held !== undefined) await retain(deps, component, target, held);
    return { ...nothingOfOurs, retained: true };
  }
  const marked = held && (await markFinalizing(deps, target, held));
  const inventory = await findInventory(deps, component, target);
  const report = await removeAll(target, ref, inventory);
  if (report.remaining.length > 0) return report;
  await deps.target.inventory(target.client, ref).remove();
  await deps.target.mirror(ref, uid).remove();
  if (marked !== undefined) await claims.remove(marked);
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
    const { entries } = await findInventory(deps, component, target);
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

async function findInventory(
  deps: ActivityDependencies,
  component: RemovedComponent,
  target: OpenTarget,
): Promise<Inventory> {
  const { ref, uid } = component;
  const copies = [
    await deps.target.inventory(target.client, ref).read(),
    await deps.target.mirror(ref, uid).read(),
  ];
  const found = copies.find((copy) => copy?.uid === uid && copy.digest !== '');
  if (found !== undefined) return found;
  heartbeat('rebuilding the inventory');
  return rebuildInventory(component, target);
}

async function removeAll(
  target: OpenTarget,
  ref: ComponentRef,
  inventory: Inventory,
): Promise<RemovalReport> {
  const mark = { uid: inventory.uid, anchorUID: target.local ? '' : inventory.anchorUID };
  const removed: InventoryEntry[] = [];
  const remaining: InventoryEntry[] = [];
  const blockers: string[] = [];
  let kept: readonly string[] = [];
  const stages = removalStages(inventory.entries);
  await freezeAggregatedRoles(target.client, inventory.entries, mark);
  for (const stage of stages.objects) {
    heartbeat({
      removed: removed.length,
      of: inventory.entries.length,
      component: formatComponentRef(ref),
    });
    const result = await removeEntries(target.client, stage.entries, mark);
    removed.push(...result.removed);
    const checked = await verifyAbsent(target.client, result);
    removed.push(...checked.removed);
    remaining.push(...checked.remaining);
    blockers.push(...checked.blockers);
    if (stage.name === 'webhooks') await dropConversion(target.client, ref.kind);
  }
  if (remaining.length === 0) {
    if (!target.local) await removeAnchor(target, ref);
    await removeLeftovers(target.client, inventory.installNamespace);
    // The install namespace of the local cluster is the resource's own, and never ours.
    const installNamespace = target.local ? inventory.installNamespace : '';
    const known = stages.namespaces.filter(
      ({ name, adopted }) => adopted === true || name !== installNamespace,
    );
    const namespaces = await removeNamespaces(target.client, known, mark);
    removed.push(...namespaces.removed);
    remaining.push(...namespaces.remaining);
    blockers.push(...namespaces.blockers);
    kept = namespaces.kept;
    await removeRemnants(
      target.client,
      inventory.entries.filter((entry) => entry.aggregated === true),
    );
  }
  return { removed: removed.length, remaining, blockers, retained: false, kept };
}
