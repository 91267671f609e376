import { setTimeout as sleep } from 'node:timers/promises';

import type { AbandonmentRecords } from '../adapters/hub/abandonment-records.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import type { AbandonedSample } from '../adapters/telemetry/metrics/component-metrics.ts';
import { messageOf } from '../domain/errors.ts';

export interface CountOptions {
  readonly records: Pick<AbandonmentRecords, 'count'>;
  readonly intervalMs: number;
  readonly log: Logger;
  readonly tell: (abandoned: readonly AbandonedSample[]) => void;
}

/** Counts what was left behind on targets, again and again; a count that fails keeps the one before. */
export async function countAbandoned(options: CountOptions, signal: AbortSignal): Promise<void> {
  let said = '';
  while (!signal.aborted) {
    try {
      const counts = await options.records.count(signal);
      options.tell(counts.map(({ ref, profile, objects }) => ({ ref, spoke: spokeOf(profile), objects })));
      said = '';
    } catch (error) {
      const why = messageOf(error);
      if (!signal.aborted && why !== said)
        options.log.warn({}, `the records of what was abandoned cannot be counted: ${why}`);
      said = why;
    }
    await sleep(options.intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Records name the hub `local`, and a target that was never known in words. */
function spokeOf(profile: string): string {
  return profile.includes('/') ? profile : '';
}
