import { setTimeout as sleep } from 'node:timers/promises';

import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import type { EventRecorder } from '../adapters/hub/events.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { componentApi, componentKinds } from '../domain/api/component-ref.ts';
import { isOperatorError, messageOf } from '../domain/errors.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { recordAt, stringAt } from '../domain/manifests/object.ts';

export interface GoOperatorWatch {
  readonly hub: ClusterClient;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly operatorNamespace: string;
  /** Time between two looks, milliseconds. */
  readonly intervalMs: number;
  /** Called with each look that finds a Go operator: this process waits and does not hang. */
  readonly onWait: () => void;
}

/** `knative-operator.knative.dev.operator.pkg.reconciler.knativeserving.reconciler.00-of-01`; there may be more buckets. */
const leaderLease =
  /knative\.dev\.operator\.pkg\.reconciler\.knative(serving|eventing)\.reconciler\.\d+-of-\d+$/;

/** The namespace of the Go operator, unless it shares ours. */
const usualNamespace = 'knative-operator';
/** The Go operator's own, where a Lease does not say. */
const leaseSeconds = 60;

/**
 * Runs `act` only while no Go operator is at work on this hub: both would write the same objects. Says so in the log and
 * as an event on every resource, waits until its leader Leases are not renewed any more, and stops `act` when one is
 * renewed again. Runs until the signal aborts.
 */
export async function whileAlone(
  watch: GoOperatorWatch,
  signal: AbortSignal,
  act: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await untilAlone(watch, signal);
    if (signal.aborted) return;
    const intruded = new AbortController();
    const acting = act(AbortSignal.any([signal, intruded.signal]));
    const watching = watchForIntruder(watch, AbortSignal.any([signal, intruded.signal]), () =>
      intruded.abort(new Error('a Go operator is at work')),
    );
    try {
      await acting;
    } finally {
      intruded.abort(new Error('ended'));
      await watching;
    }
  }
}

async function untilAlone(watch: GoOperatorWatch, signal: AbortSignal): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    const found = await lookForGoOperator(watch).catch((error: unknown) => `unknown: ${messageOf(error)}`);
    if (found === undefined) {
      if (told !== '') watch.log.info({}, 'no Go operator is at work any more; this one goes on');
      return;
    }
    watch.onWait();
    if (found !== told) await tell(watch, found);
    told = found;
    await sleep(watch.intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

async function watchForIntruder(
  watch: GoOperatorWatch,
  signal: AbortSignal,
  stop: () => void,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(watch.intervalMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    // A hub that does not answer now is no other operator.
    const found = await lookForGoOperator(watch).catch(() => undefined);
    if (found !== undefined) stop();
  }
}

/** Name of a leader Lease of the Go operator that is being renewed; undefined when there is none. */
async function lookForGoOperator(watch: GoOperatorWatch): Promise<string | undefined> {
  const namespaces = new Set([watch.operatorNamespace, usualNamespace]);
  const lists = await Promise.all([...namespaces].map((namespace) => leasesIn(watch, namespace)));
  const now = Date.now();
  const lease = lists.flat().find((found) => isLeader(found) && isRenewed(found, now));
  return lease && `${lease.metadata.namespace ?? ''}/${lease.metadata.name ?? ''}`;
}

/** Without the right to look into a namespace that is not ours, nothing can be said about it; that is logged. */
async function leasesIn(watch: GoOperatorWatch, namespace: string): Promise<readonly ManifestObject[]> {
  try {
    return await watch.hub.list('coordination.k8s.io/v1', 'Lease', { namespace });
  } catch (error) {
    if (namespace === watch.operatorNamespace || !isOperatorError(error, 'SpokeForbidden')) throw error;
    watch.log.debug({}, `whether a Go operator is at work in ${namespace} is not known: ${error.message}`);
    return [];
  }
}

function isLeader(lease: ManifestObject): boolean {
  return (
    leaderLease.test(lease.metadata.name ?? '') && (stringAt(lease, 'spec', 'holderIdentity') ?? '') !== ''
  );
}

/** Within its duration, in either direction: clocks differ. */
function isRenewed(lease: ManifestObject, now: number): boolean {
  const seconds = recordAt(lease, 'spec')['leaseDurationSeconds'];
  const duration = (typeof seconds === 'number' ? seconds : leaseSeconds) * 1_000;
  const renewed = Date.parse(stringAt(lease, 'spec', 'renewTime') ?? '');
  return Math.abs(now - renewed) < duration;
}

async function tell(watch: GoOperatorWatch, found: string): Promise<void> {
  const message =
    `a Go operator is at work on this hub (leader Lease ${found} is being renewed); nothing is done until it stops. ` +
    'Scale its Deployment to zero';
  watch.log.warn({ lease: found }, message);
  for (const kind of componentKinds) {
    const resources = await watch.hub
      .list(componentApi.apiVersion, kind, { metadataOnly: true })
      .catch(() => []);
    for (const { metadata } of resources) {
      const ref = { kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
      const event = { type: 'Warning', reason: 'GoOperatorActive', message } as const;
      await watch.events.record(ref, metadata.uid ?? '', event);
    }
  }
}
