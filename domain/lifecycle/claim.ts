/** Who owns a component kind on one cluster, as the claim Lease says. */
export interface ClaimRecord {
  /** Empty unless configured: tells apart two hubs that were cloned from one cluster. */
  readonly hubId: string;
  readonly hubClusterUID: string;
  /** `Kind/namespace/name` on that hub. */
  readonly component: string;
  readonly uid: string;
  readonly installNamespace: string;
  readonly anchorUID: string;
  readonly state: 'Owned' | 'Finalizing' | 'Retained';
}

/**
 * What a component may do about a claim that it finds: `mine` renew it, `takeOver` replace it unasked, `askOwner`
 * replace it only if the resource it names answers 404 on our own hub, and no cleanup of it is pending where one has
 * begun; `conflict` leave it.
 */
export type ClaimVerdict = 'mine' | 'takeOver' | 'askOwner' | 'conflict';

export function judgeClaim(held: ClaimRecord, wanted: ClaimRecord): ClaimVerdict {
  const sameHub = held.hubClusterUID === wanted.hubClusterUID && held.hubId === wanted.hubId;
  if (sameHub && held.uid === wanted.uid) return 'mine';
  if (held.state === 'Retained') return 'takeOver';
  if (!sameHub) return 'conflict';
  return held.component === wanted.component && held.state === 'Owned' ? 'takeOver' : 'askOwner';
}
