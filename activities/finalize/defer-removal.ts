import { Context } from '@temporalio/activity';

import type { ComponentResource } from '../../adapters/hub/components.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import { isOperatorError } from '../../domain/errors.ts';
import type { ErrorKind } from '../../domain/errors.ts';
import type { FinalizeResult } from '../../domain/lifecycle/pass.ts';
import type { Inventory, InventoryEntry } from '../../domain/manifests/inventory.ts';
import { inventoryTarget } from '../../domain/manifests/inventory.ts';
import { asStatus } from '../../domain/status/status-change.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { removedComponent } from './removed-component.ts';

/** Tries before a removal is deferred: a blip is no reason. */
const triesBefore = 3;

/** Failures of the hub or of a person's making: deferring does not go around them. */
const notDeferred: ReadonlySet<ErrorKind> = new Set([
  'Paused',
  'GoOperatorActive',
  'Superseded',
  'ResourceGone',
  'HubUnavailable',
  'Internal',
]);

/** Whether the policy lets the resource go now, although its target cannot be cleaned yet. */
export function mayDefer(resource: ComponentResource, error: unknown): boolean {
  if (removedComponent(resource).policy !== 'Deferred') return false;
  if (!isOperatorError(error) || notDeferred.has(error.kind)) return false;
  return Context.current().info.attempt >= triesBefore;
}

/** Lets the removal go on without the resource: marks the mirror on the hub, which outlives everything, and says so. */
export async function deferRemoval(
  deps: ActivityDependencies,
  resource: ComponentResource,
  why: string,
): Promise<FinalizeResult> {
  const pending = await markPending(deps, resource);
  const message = `the removal of ${String(pending)} objects goes on without the resource: ${why}`;
  await deps.hub.events.record(resource.ref, resource.uid, { type: 'Warning', reason: 'Deferred', message });
  return { outcome: 'deferred', removed: 0, pending, blockers: [why.slice(0, 150)] };
}

/** Marks what is left, or everything that is recorded; returns how much that is. Idempotent. */
export async function markPending(
  deps: ActivityDependencies,
  resource: ComponentResource,
  left?: readonly InventoryEntry[],
): Promise<number> {
  const mirror = deps.target.mirror(resource.ref, resource.uid);
  const recorded = (await mirror.read()) ?? lostInventory(resource);
  const inventory = left === undefined || left.length === 0 ? recorded : { ...recorded, entries: left };
  await mirror.markPending(inventory);
  return inventory.entries.length;
}

/** Without a digest: whoever removes it must look for what is ours. */
function lostInventory(resource: ComponentResource): Inventory {
  const status = asStatus(resource.status);
  const target = { clusterUID: '', server: '', profile: '', installNamespace: '', ...status.target };
  return {
    component: formatComponentRef(resource.ref),
    uid: resource.uid,
    target: inventoryTarget(target),
    installNamespace: target.installNamespace,
    anchorUID: status.target?.anchorUID ?? '',
    version: status.version ?? '',
    digest: '',
    entries: [],
  };
}
