import { setTimeout as sleep } from 'node:timers/promises';

import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import type { EventRecorder } from '../adapters/hub/events.ts';
import type { GoOperatorLeases } from '../adapters/hub/go-operator-leases.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { componentApi, componentKinds } from '../domain/api/component-ref.ts';
import { describeGoOperator } from '../domain/api/go-operator.ts';
import { messageOf } from '../domain/errors.ts';

export interface GoOperatorWatch {
  readonly hub: ClusterClient;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly leases: GoOperatorLeases;
  /** Time between two looks, milliseconds. */
  readonly intervalMs: number;
  /** Called with each look that finds a Go operator: this process waits and does not hang. */
  readonly onWait: () => void;
}

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
    const found = await whoIsAtWork(watch);
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

/** For people; undefined when nobody is. While the hub does not tell, nothing is done either. */
async function whoIsAtWork({ leases }: GoOperatorWatch): Promise<string | undefined> {
  try {
    const renewed = await leases.renewed();
    return renewed && describeGoOperator(renewed);
  } catch (error) {
    return `whether a Go operator is at work on this hub is not known, and nothing is done: ${messageOf(error)}`;
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
    const found = await watch.leases.renewed().catch(() => undefined);
    if (found !== undefined) stop();
  }
}

async function tell(watch: GoOperatorWatch, message: string): Promise<void> {
  watch.log.warn({}, message);
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
