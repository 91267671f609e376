import type { ClaimStore } from '../../adapters/target/claim-store.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { InstallInput } from '../../domain/lifecycle/pass.ts';

/**
 * Writes the UID of the anchor into a claim that does not know it yet; runs beside the apply, because nothing waits for
 * it. Idempotent. Throws PlanChanged when the claim is no longer this component's, so that the next pass claims again or
 * says whose it is, and rejects with Conflict when somebody changed the claim meanwhile.
 */
export async function nameAnchor(claims: ClaimStore, { ref, uid, claim }: InstallInput): Promise<void> {
  const { anchorUID, unnamed } = claim;
  if (unnamed !== true) return;
  const held = await claims.read(ref.kind);
  if (held?.record.uid !== uid) {
    throw new OperatorError(
      'PlanChanged',
      `${formatComponentRef(ref)} no longer holds the claim on the target`,
    );
  }
  if (held.record.anchorUID !== anchorUID) await claims.replace(held, { ...held.record, anchorUID });
}
