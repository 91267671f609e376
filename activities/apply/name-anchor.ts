import { formatComponentRef } from '../../domain/api/component-ref.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { InstallInput } from '../../domain/lifecycle/pass.ts';
import type { ClaimStore, HeldClaim } from '../../adapters/target/claim-store.ts';

/**
 * The claim as it is now, when it has to learn the UID of the anchor; undefined when it knows it. Throws PlanChanged when
 * the claim is no longer this component's: the next pass claims again, or says whose it is.
 */
export async function claimToName(
  claims: ClaimStore,
  { ref, uid, claim }: InstallInput,
): Promise<HeldClaim | undefined> {
  if (claim.unnamed !== true) return undefined;
  const held = await claims.read(ref.kind);
  if (held?.record.uid !== uid) {
    throw new OperatorError(
      'PlanChanged',
      `${formatComponentRef(ref)} no longer holds the claim on the target`,
    );
  }
  return held.record.anchorUID === claim.anchorUID ? undefined : held;
}

/**
 * Writes the UID of the anchor into the claim, beside the first objects: nothing that comes before them waits for it.
 * Idempotent; rejects with Conflict when somebody changed the claim since it was read.
 */
export async function nameAnchor(
  claims: ClaimStore,
  held: HeldClaim | undefined,
  anchorUID: string,
): Promise<void> {
  if (held !== undefined) await claims.replace(held, { ...held.record, anchorUID });
}
