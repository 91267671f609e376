import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { ClaimStore, HeldClaim } from '../../adapters/target/claim-store.ts';
import { componentKinds, parseComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentKind, ComponentRef } from '../../domain/api/component-ref.ts';
import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { ClaimRecord } from '../../domain/lifecycle/claim.ts';
import { judgeClaim } from '../../domain/lifecycle/claim.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface Hold {
  readonly held: HeldClaim;
  /** It was written just now. */
  readonly written: boolean;
  /** Whose claim it was until now, when it was taken over. */
  readonly former?: ClaimRecord | undefined;
}

/**
 * Holds the claim of one kind on a target, taking it over where the rules allow that unasked. Throws
 * TargetClusterConflict naming the owner otherwise, and when the other kind uses the same install namespace.
 */
export async function holdClaim(
  deps: ActivityDependencies,
  client: ClusterClient,
  ref: ComponentRef,
  wanted: ClaimRecord,
): Promise<Hold> {
  const store = deps.target.claims(client);
  const [held, others] = await Promise.all([store.read(ref.kind), otherClaims(store, ref.kind)]);
  refuseSharedNamespace(others, wanted);
  if (held === undefined) return { held: await createClaim(deps, client, ref, wanted), written: true };
  if (!(await mayHold(deps, held.record, wanted))) throw conflict(held.record);
  const sameRecord =
    JSON.stringify(held.record) === JSON.stringify({ ...wanted, anchorUID: held.record.anchorUID });
  if (sameRecord) return { held, written: false };
  const record = { ...wanted, anchorUID: keptAnchor(held.record, wanted) };
  const former = held.record.uid === wanted.uid ? undefined : held.record;
  return { held: await store.replace(held, record), written: true, former };
}

async function createClaim(
  deps: ActivityDependencies,
  client: ClusterClient,
  ref: ComponentRef,
  wanted: ClaimRecord,
): Promise<HeldClaim> {
  const store = deps.target.claims(client);
  try {
    return await store.create(ref.kind, wanted);
  } catch (error) {
    const winner = isOperatorError(error, 'Conflict') ? await store.read(ref.kind) : undefined;
    if (winner === undefined) throw error;
    if (judgeClaim(winner.record, wanted) === 'mine') return winner;
    throw conflict(winner.record);
  }
}

async function mayHold(deps: ActivityDependencies, held: ClaimRecord, wanted: ClaimRecord): Promise<boolean> {
  switch (judgeClaim(held, wanted)) {
    case 'mine':
    case 'takeOver':
      return true;
    case 'askOwner':
      return ownerIsGone(deps, held);
    case 'conflict':
      return false;
  }
}

/** A cleanup that has begun goes on without its resource for as long as the mirror of its inventory says so. */
async function ownerIsGone(deps: ActivityDependencies, held: ClaimRecord): Promise<boolean> {
  const ref = parseComponentRef(held.component);
  if (ref === undefined) return false;
  const owner = await deps.hub.components.read(ref);
  if (owner?.uid === held.uid) return false;
  return held.state !== 'Finalizing' || !(await deps.target.mirror(ref, held.uid).isPending());
}

function keptAnchor(held: ClaimRecord, wanted: ClaimRecord): string {
  return held.uid === wanted.uid ? held.anchorUID : wanted.anchorUID;
}

function otherClaims(store: ClaimStore, kind: ComponentKind): Promise<readonly (HeldClaim | undefined)[]> {
  return Promise.all(
    componentKinds.filter((candidate) => candidate !== kind).map((other) => store.read(other)),
  );
}

/** Serving and Eventing ship ConfigMaps of the same names. */
function refuseSharedNamespace(others: readonly (HeldClaim | undefined)[], wanted: ClaimRecord): void {
  const other = others.find((held) => held?.record.installNamespace === wanted.installNamespace);
  if (other === undefined) return;
  throw new OperatorError(
    'TargetClusterConflict',
    `namespace ${wanted.installNamespace} of the target is used by ${other.record.component}; Serving and Eventing ` +
      'ship ConfigMaps of the same names and cannot share one. Choose another spec.destination.namespace',
  );
}

function conflict(owner: ClaimRecord): OperatorError {
  const doing = owner.state === 'Finalizing' ? 'its cleanup still runs there' : 'it owns the cluster';
  return new OperatorError(
    'TargetClusterConflict',
    `the target cluster belongs to ${owner.component} (UID ${owner.uid}, hub ${owner.hubClusterUID}): ${doing}. ` +
      'Delete that resource, or wait for its cleanup; this one takes over by itself afterwards',
  );
}
