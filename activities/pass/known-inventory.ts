import type { ComponentResource } from '../../adapters/hub/components.ts';
import { parseComponentRef } from '../../domain/api/component-ref.ts';
import type { ClaimRecord } from '../../domain/lifecycle/claim.ts';
import { anchorName } from '../../domain/manifests/anchor.ts';
import type { Inventory, InventoryEntry } from '../../domain/manifests/inventory.ts';
import { unionOf } from '../../domain/manifests/inventory.ts';
import { asStatus } from '../../domain/status/status-change.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { rebuildInventory } from '../finalize/rebuild-inventory.ts';
import { removedComponent } from '../finalize/removed-component.ts';
import { findAnchor } from './find-go-installation.ts';
import type { OpenTarget } from './open-target.ts';
import type { InventoryCopies } from './write-inventory.ts';

/** What an inventory says of the objects on its target. */
export type Known = Pick<Inventory, 'entries' | 'kept'>;

interface Sources {
  readonly copies: InventoryCopies;
  /** The copy on the target, whoever wrote it. */
  readonly copy: Inventory | undefined;
  /** UID of this component's anchor in the install namespace. */
  readonly anchor: string | undefined;
  /** Whose claim it was until now. */
  readonly former: ClaimRecord | undefined;
}

/**
 * What is recorded of a target before a pass: by this component, or by the one that it takes over from. Either copy will
 * do; the one on the target is newer when both are there. Without any, an installation that has this component's anchor
 * is looked through: both copies are lost, or the Go operator made it. Undefined when nothing is there.
 */
export async function knownInventory(
  deps: ActivityDependencies,
  resource: ComponentResource,
  target: OpenTarget,
  { copies, copy, anchor, former }: Sources,
): Promise<Known | undefined> {
  if (copy?.uid === resource.uid) return copy;
  if (copy !== undefined) return takenOver(deps, copy, resource, target);
  const mirror = await copies.mirror.read();
  if (mirror !== undefined) return mirror;
  const theirs = former && (await formerMirror(deps, former));
  if (theirs !== undefined) return takenOver(deps, theirs, resource, target);
  return lookThrough(resource, target, anchor);
}

/** The anchor of the former owner becomes an entry: nobody wants it, so it goes when everything has its new owner. */
async function takenOver(
  deps: ActivityDependencies,
  former: Inventory,
  resource: ComponentResource,
  target: OpenTarget,
): Promise<Known> {
  const mirror = await formerMirror(deps, former);
  const anchor = formerAnchor(former, resource, target);
  const entries = unionOf(former.entries, mirror?.entries ?? []);
  return { ...former, entries: anchor === undefined ? entries : unionOf(entries, [anchor]) };
}

async function formerMirror(
  deps: ActivityDependencies,
  former: { readonly component: string; readonly uid: string },
): Promise<Inventory | undefined> {
  const ref = parseComponentRef(former.component);
  return ref && deps.target.mirror(ref, former.uid).read();
}

function formerAnchor(
  former: Inventory,
  resource: ComponentResource,
  target: OpenTarget,
): InventoryEntry | undefined {
  const ref = parseComponentRef(former.component);
  if (target.local || ref === undefined || former.anchorUID === '') return undefined;
  const name = anchorName(ref);
  const namespace = former.installNamespace;
  if (name === anchorName(resource.ref) && namespace === target.identity.installNamespace) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace,
    name,
    uid: former.anchorUID,
    since: '',
    anchor: true,
  };
}

/** Undefined locally, where there is none. */
export async function anchorInPlace(
  resource: ComponentResource,
  target: OpenTarget,
): Promise<string | undefined> {
  if (target.local) return undefined;
  return findAnchor(target.client, resource, target.identity.installNamespace);
}

async function lookThrough(
  resource: ComponentResource,
  target: OpenTarget,
  anchor: string | undefined,
): Promise<Known | undefined> {
  const installed = (asStatus(resource.status).version ?? '') !== '';
  const owner = target.local ? installed && resource.uid : anchor;
  if (owner === undefined || owner === false) return undefined;
  const component = { ...removedComponent(resource), anchorUID: owner };
  return rebuildInventory(component, target, { goOperator: true });
}
