import type { ActivityObserver } from '../adapters/telemetry/metrics/activity-metrics.ts';
import { observeActivities } from '../adapters/telemetry/metrics/activity-metrics.ts';
import type { ClusterObserver } from '../adapters/telemetry/metrics/cluster-metrics.ts';
import { observeClusters } from '../adapters/telemetry/metrics/cluster-metrics.ts';
import type { CredentialObserver } from '../adapters/telemetry/metrics/credential-metrics.ts';
import { observeCredentials } from '../adapters/telemetry/metrics/credential-metrics.ts';
import type { DriftObserver } from '../adapters/telemetry/metrics/drift-metrics.ts';
import { observeDrift } from '../adapters/telemetry/metrics/drift-metrics.ts';
import type { MetricsExport } from '../adapters/telemetry/metrics/metrics-export.ts';
import { createMetricsExport } from '../adapters/telemetry/metrics/metrics-export.ts';

/** What a worker measures. */
export interface WorkerTelemetry {
  readonly metrics: MetricsExport;
  readonly activities: ActivityObserver;
  readonly clusters: ClusterObserver;
  readonly credentials: CredentialObserver;
  readonly drift: DriftObserver;
}

export function createWorkerTelemetry(): WorkerTelemetry {
  const metrics = createMetricsExport();
  const drift = observeDrift(metrics);
  const activities = observeActivities(metrics);
  return {
    metrics,
    activities(end) {
      activities(end);
      if (end.component === undefined) return;
      // What no longer exists must not keep its series.
      if (end.activity === 'releaseFinalizer') drift.forget(end.component);
      else drift.begin(end.component);
    },
    clusters: observeClusters(metrics),
    credentials: observeCredentials(metrics),
    drift,
  };
}
