import { heartbeat } from '@temporalio/activity';

import type { ComponentResource } from '../adapters/hub/components.ts';
import { formatComponentRef } from '../domain/api/component-ref.ts';
import type { HeldClaim } from '../adapters/target/claim-store.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { isOperatorError } from '../domain/errors.ts';
import type { Claim } from '../domain/lifecycle/component-state.ts';
import type { ClaimRecord } from '../domain/lifecycle/claim.ts';
import type { ClaimInput } from '../domain/lifecycle/pass.ts';
import { resourceOwner } from '../domain/manifests/anchor.ts';
import type { Inventory } from '../domain/manifests/inventory.ts';
import { hasUnrecorded, intentOf, inventoryTarget } from '../domain/manifests/inventory.ts';
import type { ManifestObject, OwnerReference } from '../domain/manifests/object.ts';
import {
  acknowledge,
  asStatus,
  beginPass,
  mark,
  recordTarget,
  targetResolved,
} from '../domain/status/status-change.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { forgetOutdatedJobs } from './pass/forget-outdated-jobs.ts';
import { holdClaim } from './pass/hold-claim.ts';
import type { Hold } from './pass/hold-claim.ts';
import { anchorInPlace, knownInventory } from './pass/known-inventory.ts';
import type { Known } from './pass/known-inventory.ts';
import { openPass } from './pass/open-pass.ts';
import type { OpenTarget } from './pass/open-target.ts';
import { openTarget } from './pass/open-target.ts';
import { planAgain } from './pass/planned-objects.ts';
import { refuseObjectsOfOthers } from './pass/refuse-objects-of-others.ts';
import { reporting } from './pass/reporting.ts';
import { timestamp } from './pass/timestamp.ts';
import { inventoryCopies } from './pass/write-inventory.ts';
import type { PlannedRelease } from './plan/planner.ts';

/**
 * Makes the target ours before the first object: `status.target` on the hub, the claim, the inventory of what is going
 * to be written (hub mirror first) and the install namespace, then the anchor. The next apply writes its UID into the
 * claim. Safe to repeat at any point; throws TargetClusterConflict naming the owner when another component holds the
 * claim.
 */
export function claimTarget(deps: ActivityDependencies) {
  return async (input: ClaimInput): Promise<Claim> =>
    reporting(deps, input, async () => {
      const resource = await openPass(deps, input);
      const planned = await planAgain(deps, resource, input.plan.digest);
      const target = await openTarget(deps, resource);
      heartbeat('recording the target');
      await recordPass(deps, resource, target);
      const wanted = await claimRecord(deps, resource, target);
      const copies = inventoryCopies(deps, target, input);
      const [hold, copy, anchor] = await Promise.all([
        holdClaim(deps, target.client, resource.ref, wanted),
        copies.target.read(),
        anchorInPlace(resource, target),
      ]);
      const known = await knownInventory(deps, resource, target, {
        copies,
        copy,
        anchor,
        former: hold.former,
      });
      const held = await dated(deps, target, { hold, copy, known, wanted: planned.objects });
      const inventory = intended(resource, target, { planned, known, held });
      heartbeat('recording what is going to be written');
      await copies.mirror.write(inventory);
      await Promise.all([
        copies.target.write(inventory),
        // Nothing is known to be there yet; the mirror already says that it comes.
        known === undefined && !target.local ? createNamespace(target, resource) : undefined,
      ]);
      const [owner] = await Promise.all([
        ensureOwner(deps, resource, target),
        refuseObjectsOfOthers(deps, target.client, resource.ref, planned.objects),
      ]);
      const named = owner.uid === held.record.anchorUID;
      if (!named) await recordAnchor(deps, resource, target, owner);
      return { anchorUID: owner.uid, ...(named ? {} : { unnamed: true }) };
    });
}

/** A claim that is no older than what is wanted now and was not before: what exists by then is not ours. */
async function dated(
  deps: ActivityDependencies,
  { client }: OpenTarget,
  pass: {
    readonly hold: Hold;
    readonly copy: Inventory | undefined;
    readonly known: Known | undefined;
    readonly wanted: readonly ManifestObject[];
  },
): Promise<HeldClaim> {
  const { held, written } = pass.hold;
  // Of what was found by looking through the target nobody knows whether it is all.
  if (written || pass.copy === undefined) return held;
  return hasUnrecorded(pass.known?.entries ?? [], pass.wanted)
    ? deps.target.claims(client).renew(held)
    : held;
}

function intended(
  resource: ComponentResource,
  target: OpenTarget,
  pass: { readonly planned: PlannedRelease; readonly known: Known | undefined; readonly held: HeldClaim },
): Inventory {
  const { planned, known, held } = pass;
  const intent = intentOf(known?.entries ?? [], planned.objects, held.writtenAt);
  return {
    component: formatComponentRef(resource.ref),
    uid: resource.uid,
    target: inventoryTarget(target.identity),
    installNamespace: target.identity.installNamespace,
    anchorUID: held.record.anchorUID,
    version: planned.version,
    digest: planned.digest,
    entries: forgetOutdatedJobs(intent, planned.objects),
    ...(known?.kept === undefined ? {} : { kept: known.kept }),
  };
}

async function recordPass(
  deps: ActivityDependencies,
  resource: ComponentResource,
  target: OpenTarget,
): Promise<void> {
  await deps.hub.components.updateStatus(resource.ref, resource.uid, (found) => {
    const now = timestamp();
    const trigger = resource.annotations[wireNames.triggerAnnotation] ?? '';
    const served = { generation: resource.generation, trigger };
    const begun = acknowledge(beginPass(asStatus(found), resource.generation, now), served);
    const eligible = mark(targetResolved(begun, now), 'VersionMigrationEligible', now);
    return recordTarget(eligible, target.identity, { provider: target.provider });
  });
}

async function recordAnchor(
  deps: ActivityDependencies,
  resource: ComponentResource,
  target: OpenTarget,
  owner: OwnerReference,
): Promise<void> {
  const more = { provider: target.provider, anchorUID: owner.uid };
  await deps.hub.components.updateStatus(resource.ref, resource.uid, (found) =>
    recordTarget(asStatus(found), target.identity, more),
  );
}

async function claimRecord(
  deps: ActivityDependencies,
  resource: ComponentResource,
  target: OpenTarget,
): Promise<ClaimRecord> {
  return {
    hubId: deps.hub.id,
    hubClusterUID: await deps.hub.clusterUID(),
    component: formatComponentRef(resource.ref),
    uid: resource.uid,
    installNamespace: target.identity.installNamespace,
    anchorUID: target.local ? resource.uid : (asStatus(resource.status).target?.anchorUID ?? ''),
    state: 'Owned',
  };
}

async function ensureOwner(
  deps: ActivityDependencies,
  resource: ComponentResource,
  target: OpenTarget,
): Promise<OwnerReference> {
  const { ref } = resource;
  if (target.local) return resourceOwner(ref, resource.uid);
  const namespace = target.identity.installNamespace;
  try {
    return await deps.target.ensureAnchor(target.client, ref, namespace);
  } catch (error) {
    if (!isOperatorError(error, 'NotFound')) throw error;
  }
  await createNamespace(target, resource);
  return deps.target.ensureAnchor(target.client, ref, namespace);
}

/** Only ever creates: a namespace that exists is left to the release's own Namespace object. */
async function createNamespace(target: OpenTarget, resource: ComponentResource): Promise<void> {
  const labels = { [wireNames.managedByLabel]: wireNames.managedByValue };
  const annotations = { [wireNames.ownerAnnotation]: resource.uid };
  const name = target.identity.installNamespace;
  const namespace: ManifestObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels, annotations },
  };
  try {
    await target.client.create(namespace);
  } catch (error) {
    if (!isOperatorError(error, 'Conflict')) throw error;
  }
}
