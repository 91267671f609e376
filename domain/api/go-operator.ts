import type { ManifestObject } from '../manifests/object.ts';
import { recordAt, stringAt } from '../manifests/object.ts';

/** The namespace of the Go operator, unless it shares ours. */
export const goOperatorNamespace = 'knative-operator';

/** `knative-operator.knative.dev.operator.pkg.reconciler.knativeserving.reconciler.00-of-01`; there may be more buckets. */
const leaderLease =
  /knative\.dev\.operator\.pkg\.reconciler\.knative(serving|eventing)\.reconciler\.\d+-of-\d+$/;

/** The Go operator's own, where a Lease does not say. */
const leaseSeconds = 60;

/** Whether a Lease is one by which a Go operator leads, renewed within its duration in either direction: clocks differ. */
export function isRenewedGoLease(lease: ManifestObject, now: number): boolean {
  if (!leaderLease.test(lease.metadata.name ?? '')) return false;
  if ((stringAt(lease, 'spec', 'holderIdentity') ?? '') === '') return false;
  const seconds = recordAt(lease, 'spec')['leaseDurationSeconds'];
  const duration = (typeof seconds === 'number' ? seconds : leaseSeconds) * 1_000;
  const renewed = Date.parse(stringAt(lease, 'spec', 'renewTime') ?? '');
  return Math.abs(now - renewed) < duration;
}

/** For people: who renews which Lease, as `<namespace>/<name>`, and what to do. */
export function describeGoOperator({ lease, holder }: { lease: string; holder: string }): string {
  return (
    `a Go operator is at work on this hub (${holder} renews leader Lease ${lease}); nothing is done until it stops. ` +
    'Scale its Deployment to zero'
  );
}
