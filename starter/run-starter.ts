import type { Client } from '@temporalio/client';

import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import { createAbandonmentRecords } from '../adapters/hub/abandonment-records.ts';
import { createGoOperatorLeases } from '../adapters/hub/go-operator-leases.ts';
import { createHubComponents } from '../adapters/hub/components.ts';
import { createEventRecorder } from '../adapters/hub/events.ts';
import type { AbandonedSample } from '../adapters/telemetry/metrics/component-metrics.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { componentKinds } from '../domain/api/component-ref.ts';
import { messageOf } from '../domain/errors.ts';
import { createCleanupWorkflows } from './cleanup-workflows.ts';
import { componentSample } from './component-samples.ts';
import { createComponentWorkflows } from './component-workflows.ts';
import { countAbandoned } from './count-abandoned.ts';
import { whileAlone } from './go-operator.ts';
import type { StarterObserver } from './starter-telemetry.ts';
import { keepObservers } from './keep-observers.ts';
import { sweepForEver } from './sweep.ts';
import { watchCleanups } from './watch-cleanups.ts';
import { watchClusterProfiles } from './watch-cluster-profiles.ts';
import { watchComponents } from './watch-components.ts';

export interface StarterParts {
  readonly hub: ClusterClient;
  readonly temporal: Client;
  readonly log: Logger;
  readonly hubId: string;
  readonly operatorNamespace: string;
  readonly sweepIntervalMs: number;
  readonly observe: StarterObserver;
}

/**
 * Watches the hub and keeps one workflow for each resource, until the signal aborts. Stateless: may be killed any time.
 * Does nothing while a Go operator is at work on the hub.
 */
export async function runStarter(parts: StarterParts, signal: AbortSignal): Promise<void> {
  const { hub, log, operatorNamespace, sweepIntervalMs: intervalMs } = parts;
  const events = createEventRecorder(hub, (error) => log.debug({}, `an event was lost: ${messageOf(error)}`));
  const onWait = (): void => parts.observe.swept(false);
  const leases = createGoOperatorLeases(hub, {
    operatorNamespace,
    maxAgeMs: 0,
    log,
  });
  const watch = { hub, events, log, leases, intervalMs, onWait };
  await whileAlone(watch, signal, (acting) => act(parts, acting));
}

async function act(parts: StarterParts, signal: AbortSignal): Promise<void> {
  const { hub, log, hubId } = parts;
  const workflows = createComponentWorkflows(parts.temporal, parts.hubId);
  const watches = componentKinds.map((kind) => watchComponents({ hub, workflows, log, kind, hubId }));
  const cleanups = watchCleanups({
    hub,
    workflows: createCleanupWorkflows(parts.temporal, parts.hubId),
    log,
    operatorNamespace: parts.operatorNamespace,
    hubId,
  });
  const sweep = {
    hub: createHubComponents(hub),
    workflows,
    watches,
    cleanups,
    log,
    hubId,
    intervalMs: parts.sweepIntervalMs,
    onSweep: (complete: boolean) => parts.observe.swept(complete),
  };
  const { observe } = parts;
  const abandoned = {
    records: createAbandonmentRecords(hub, parts.operatorNamespace),
    intervalMs: parts.sweepIntervalMs,
    log,
    tell: (counts: readonly AbandonedSample[]) => observe.abandoned(counts),
  };
  observe.watching(() => watches.flatMap((watch) => [...watch.known.values()].map(componentSample)));
  try {
    await Promise.all([
      ...watches.map((watch) => watch.run(signal)),
      cleanups.run(signal),
      watchClusterProfiles({ hub, workflows, watches, cleanups, log, hubId }, signal),
      sweepForEver(sweep, signal),
      countAbandoned(abandoned, signal),
      keepObservers({ ...parts, watches, intervalMs: parts.sweepIntervalMs }, signal),
    ]);
  } finally {
    // A standby shows nothing: its view grows old.
    observe.watching(() => []);
    observe.abandoned([]);
  }
}
