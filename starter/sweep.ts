import { setTimeout as sleep } from 'node:timers/promises';

import type { HubComponents } from '../adapters/hub/components.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { formatComponentRef } from '../domain/api/component-ref.ts';
import { messageOf } from '../domain/errors.ts';
import type { ComponentWorkflows } from './component-workflows.ts';
import { logFields } from './log-fields.ts';
import type { CleanupWatch } from './watch-cleanups.ts';
import type { ComponentWatch } from './watch-components.ts';

export interface SweepOptions {
  readonly hub: HubComponents;
  readonly workflows: ComponentWorkflows;
  readonly watches: readonly ComponentWatch[];
  readonly cleanups: CleanupWatch;
  readonly log: Logger;
  readonly intervalMs: number;
  readonly hubId: string;
  /** Told after each sweep whether it was complete. */
  readonly onSweep: (complete: boolean) => void;
}

/**
 * Makes loss harmless: again and again compares what the watches know with what is on the hub, and open workflows with
 * the resources; starts those that are missing, repeats what was not acknowledged, and tells workflows whose resource
 * answers 404 that it is gone.
 */
export async function sweepForEver(options: SweepOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(options.intervalMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await sweep(options);
      options.onSweep(true);
    } catch (error) {
      options.log.warn({}, `the sweep failed and is repeated: ${messageOf(error)}`);
      options.onSweep(false);
    }
  }
}

async function sweep(options: SweepOptions): Promise<void> {
  for (const watch of options.watches) await watch.catchUp();
  const open = await options.workflows.open();
  const running = new Set(open.map(formatComponentRef));
  const known = new Map(options.watches.flatMap((watch) => [...watch.known]));
  for (const watch of options.watches) {
    for (const [key, resource] of watch.known) {
      const lost = !running.has(key);
      if (lost)
        options.log.info(logFields(resource, options.hubId), 'its workflow is missing and is started');
      await watch.announce(resource, true);
    }
  }
  await options.cleanups.ensureAll();
  for (const ref of open) {
    if (known.has(formatComponentRef(ref))) continue;
    // The watch may be behind; only a direct read that answers 404 counts.
    if ((await options.hub.read(ref)) === undefined) await options.workflows.gone(ref, '');
  }
}
