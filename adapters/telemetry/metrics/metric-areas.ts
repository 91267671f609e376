import { activityMetrics } from './activity-metrics.ts';
import { clusterMetrics } from './cluster-metrics.ts';
import { componentMetrics } from './component-metrics.ts';
import { credentialMetrics } from './credential-metrics.ts';
import { driftMetrics } from './drift-metrics.ts';
import type { MetricDeclarations } from './metric-declaration.ts';
import { processMetrics } from './process-metrics.ts';
import { starterMetrics } from './starter-metrics.ts';

export interface MetricArea {
  readonly title: string;
  /** Who exports it. */
  readonly from: string;
  readonly declarations: MetricDeclarations;
}

/** All metrics of this software, in the order of their reference page. */
export const metricAreas: readonly MetricArea[] = [
  {
    title: 'Components',
    from: 'The starter that leads, from what it watches on the hub; a standby exports none. A resource that is gone takes its series with it.',
    declarations: componentMetrics,
  },
  { title: 'Starter', from: 'Each starter.', declarations: starterMetrics },
  { title: 'Activities', from: 'Each worker, for what ran on it.', declarations: activityMetrics },
  {
    title: 'Requests to clusters',
    from: 'Each worker for hub and spokes, each starter for the hub.',
    declarations: clusterMetrics,
  },
  {
    title: 'Credentials',
    from: 'Each worker, for the spokes that it uses. A ClusterProfile that no longer exists takes its series with it.',
    declarations: credentialMetrics,
  },
  { title: 'Drift', from: 'Each worker, for what ran on it.', declarations: driftMetrics },
  { title: 'Dependencies', from: 'Each worker and each starter.', declarations: processMetrics },
];

/** Metrics of the Temporal SDK that alert rules and dashboard use, with the labels that they use. A test scrapes them. */
export const usedTemporalMetrics: Readonly<Record<string, readonly string[]>> = {
  temporal_num_pollers: ['task_queue', 'poller_type'],
  temporal_worker_task_slots_available: ['task_queue', 'worker_type'],
  temporal_worker_task_slots_used: ['task_queue', 'worker_type'],
  temporal_activity_schedule_to_start_latency_seconds: ['task_queue'],
  temporal_workflow_task_schedule_to_start_latency_seconds: ['task_queue'],
  temporal_request_failure_total: ['operation'],
  temporal_long_request_failure_total: ['operation'],
};
