import type { Checks } from '../adapters/operations/operations-server.ts';
import type { Dependencies } from '../adapters/operations/dependencies.ts';
import type { AbandonedSample, ComponentSample } from '../adapters/telemetry/metrics/component-metrics.ts';
import { exportComponents } from '../adapters/telemetry/metrics/component-metrics.ts';
import type { MetricsExport } from '../adapters/telemetry/metrics/metrics-export.ts';
import { createMetricsExport } from '../adapters/telemetry/metrics/metrics-export.ts';
import { exportStarter } from '../adapters/telemetry/metrics/starter-metrics.ts';
import type { Role } from './leader-election.ts';

/** Told by the parts of a starter how they fare. */
export interface StarterObserver {
  role(role: Role): void;
  swept(complete: boolean): void;
  /** Where the resources that it watches are found at each scrape. */
  watching(components: () => readonly ComponentSample[]): void;
  abandoned(counts: readonly AbandonedSample[]): void;
}

export interface StarterTelemetry {
  readonly metrics: MetricsExport;
  readonly observe: StarterObserver;
  live(): Checks;
  ready(dependencies: Dependencies): Checks;
}

/** Sweeps that may fail or be late before the starter does not count as ready. */
const missedSweeps = 3;
/** One that hangs for this long is ended only by a restart. */
const hungSweepMs = 5 * 60_000;

export function createStarterTelemetry(sweepIntervalMs: number): StarterTelemetry {
  const metrics = createMetricsExport();
  let role: Role = 'standby';
  let leadingSince = 0;
  let triedAt: number | undefined;
  let completeAt: number | undefined;
  let components: () => readonly ComponentSample[] = () => [];
  let abandoned: readonly AbandonedSample[] = [];
  exportComponents(metrics, { components: () => components(), abandoned: () => abandoned });
  exportStarter(metrics, () => ({ leading: role === 'leader', sweptAt: completeAt }));

  const late = (at: number | undefined, allowedMs: number, what: string): string | undefined => {
    if (role !== 'leader') return undefined;
    const silentMs = Date.now() - Math.max(at ?? 0, leadingSince);
    return silentMs <= allowedMs ? undefined : `${what} for ${String(Math.round(silentMs / 1_000))} s`;
  };

  return {
    metrics,
    observe: {
      role(now) {
        role = now;
        leadingSince = Date.now();
      },
      swept(complete) {
        triedAt = Date.now();
        if (complete) completeAt = triedAt;
      },
      watching(source) {
        components = source;
      },
      abandoned(counts) {
        abandoned = counts;
      },
    },
    live: () => ({
      sweep: () => late(triedAt, hungSweepMs + missedSweeps * sweepIntervalMs, 'no sweep has ended'),
    }),
    ready: ({ hub, temporal }) => ({
      hub: () => hub.problem(),
      temporal: () => temporal.problem(),
      sweep: () => late(completeAt, 30_000 + missedSweeps * sweepIntervalMs, 'no sweep was complete'),
    }),
  };
}
