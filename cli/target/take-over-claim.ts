import type { ComponentResource } from '../../adapters/hub/components.ts';
import { createClaimStore } from '../../adapters/target/claim-store.ts';
import type { HeldClaim } from '../../adapters/target/claim-store.ts';
import type { OpenTarget } from '../../activities/pass/open-target.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ClaimRecord } from '../../domain/lifecycle/claim.ts';
import { judgeClaim } from '../../domain/lifecycle/claim.ts';
import { stringAt } from '../../domain/manifests/object.ts';
import { CommandError } from '../exit-codes.ts';

/** The claim that a component finds on its target, and the one that it wants. */
export interface ClaimDispute {
  readonly held: HeldClaim;
  readonly wanted: ClaimRecord;
}

export interface Claimant {
  readonly resource: ComponentResource;
  readonly target: OpenTarget;
  readonly hubId: string;
  readonly hubClusterUID: string;
}

/**
 * What stands in the way of a component. Throws CommandError `missing` when nobody holds the claim, and `refused` when
 * the component holds it itself.
 */
export async function readDispute(claimant: Claimant): Promise<ClaimDispute> {
  const { resource, target } = claimant;
  const held = await createClaimStore(target.client).read(resource.ref.kind);
  const name = formatComponentRef(resource.ref);
  const where = target.identity.profile;
  if (held === undefined) {
    throw new CommandError('missing', `nobody holds the claim on ${where}; ${name} takes it by itself`);
  }
  const wanted = wantedClaim(claimant);
  if (judgeClaim(held.record, wanted) === 'mine') {
    throw new CommandError('refused', `${name} holds the claim on ${where} already; nothing was done`);
  }
  return { held, wanted };
}

/** Replaces exactly the claim that was read. Rejects with Conflict when it changed meanwhile. */
export async function takeOver(target: OpenTarget, { held, wanted }: ClaimDispute): Promise<void> {
  await createClaimStore(target.client).replace(held, wanted);
}

function wantedClaim({ resource, target, hubId, hubClusterUID }: Claimant): ClaimRecord {
  const anchorUID = target.local ? resource.uid : stringAt(resource.status, 'target', 'anchorUID');
  return {
    hubId,
    hubClusterUID,
    component: formatComponentRef(resource.ref),
    uid: resource.uid,
    installNamespace: target.identity.installNamespace,
    anchorUID: anchorUID ?? '',
    state: 'Owned',
  };
}
