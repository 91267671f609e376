import type { ComponentRef } from '../../../domain/api/component-ref.ts';
import type { MetricDeclarations } from './metric-declaration.ts';
import type { MetricsExport } from './metrics-export.ts';

const activity = 'Activity type, such as `resolveTarget`, `applyStages`, `awaitReady` or `finalizeTarget`';
const kind = '`KnativeServing` or `KnativeEventing`; empty for activities that serve no component';

export const activityMetrics = {
  duration: {
    type: 'histogram',
    name: 'knative_fleet_activity_duration_seconds',
    help: 'How long each try of an activity took.',
    labels: { activity, kind, outcome: '`completed`, `failed` or `cancelled`' },
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
  },
  failures: {
    type: 'counter',
    name: 'knative_fleet_activity_failures_total',
    help: 'Failed tries of activities by cause.',
    labels: {
      activity,
      kind,
      cause: 'Kind of the failure, see the reference of reasons; `Unknown` for anything else',
    },
  },
} as const satisfies MetricDeclarations;

/** How one try of an activity ended. */
export interface ActivityEnd {
  readonly activity: string;
  /** Absent for activities that serve no component. */
  readonly component: ComponentRef | undefined;
  readonly outcome: 'completed' | 'failed' | 'cancelled';
  readonly milliseconds: number;
  /** Of a failure. */
  readonly cause?: string;
}

export type ActivityObserver = (end: ActivityEnd) => void;

export function observeActivities(metrics: MetricsExport): ActivityObserver {
  const { duration, failures } = metrics.register(activityMetrics);
  return (end) => {
    const { outcome, milliseconds } = end;
    const labels = { activity: end.activity, kind: end.component?.kind ?? '' };
    duration.observe({ ...labels, outcome }, milliseconds / 1_000);
    if (outcome === 'failed') failures.inc({ ...labels, cause: end.cause ?? 'Unknown' });
  };
}
