import type { Client } from '@temporalio/client';

import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import { createAbandonmentRecords } from '../adapters/hub/abandonment-records.ts';
import { createHubComponents } from '../adapters/hub/components.ts';
import type { AbandonedSample } from '../adapters/telemetry/metrics/component-metrics.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { componentKinds } from '../domain/api/component-ref.ts';
import { componentSample } from './component-samples.ts';
import { createComponentWorkflows } from './component-workflows.ts';
import { countAbandoned } from './count-abandoned.ts';
import type { StarterObserver } from './starter-telemetry.ts';
import { keepObservers } from './keep-observers.ts';
import { sweepForEver } from './sweep.ts';
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

/** Watches the hub and keeps one workflow for each resource, until the signal aborts. Stateless: may be killed any time. */
export async function runStarter(parts: StarterParts, signal: AbortSignal): Promise<void> {
  const { hub, log } = parts;
  const workflows = createComponentWorkflows(parts.temporal, parts.hubId);
  const watches = componentKinds.map((kind) => watchComponents({ hub, workflows, log, kind }));
  const sweep = {
    hub: createHubComponents(hub),
    workflows,
    watches,
    log,
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
      watchClusterProfiles({ hub, workflows, watches, log }, signal),
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
