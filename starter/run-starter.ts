import type { Client } from '@temporalio/client';

import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import { createHubComponents } from '../adapters/hub/components.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { componentKinds } from '../domain/api/component-ref.ts';
import { createComponentWorkflows } from './component-workflows.ts';
import type { StarterObserver } from './starter-telemetry.ts';
import { sweepForEver } from './sweep.ts';
import { watchClusterProfiles } from './watch-cluster-profiles.ts';
import { watchComponents } from './watch-components.ts';

export interface StarterParts {
  readonly hub: ClusterClient;
  readonly temporal: Client;
  readonly log: Logger;
  readonly hubId: string;
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
  await Promise.all([
    ...watches.map((watch) => watch.run(signal)),
    watchClusterProfiles({ hub, workflows, watches, log }, signal),
    sweepForEver(sweep, signal),
  ]);
}
