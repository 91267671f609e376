import type { MetricDeclarations } from './metric-declaration.ts';
import type { MetricsExport } from './metrics-export.ts';

export const starterMetrics = {
  leader: {
    type: 'gauge',
    name: 'knative_fleet_leader',
    help: 'Whether this starter watches the hub: 1, or 0 for a standby.',
    labels: {},
  },
  sweep: {
    type: 'gauge',
    name: 'knative_fleet_sweep_success_timestamp_seconds',
    help: 'When open workflows were last compared with the resources. Absent on a standby.',
    labels: {},
  },
} as const satisfies MetricDeclarations;

export interface StarterState {
  readonly leading: boolean;
  /** Milliseconds since the epoch. */
  readonly sweptAt: number | undefined;
}

export function exportStarter(metrics: MetricsExport, state: () => StarterState): void {
  const { leader, sweep } = metrics.register(starterMetrics);
  metrics.beforeScrape(() => {
    const { leading, sweptAt } = state();
    leader.set(leading ? 1 : 0);
    if (leading && sweptAt !== undefined) sweep.set(sweptAt / 1_000);
    else sweep.remove();
  });
}
