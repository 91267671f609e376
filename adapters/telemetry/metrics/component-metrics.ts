import type { Gauge } from 'prom-client';

import type { ComponentRef } from '../../../domain/api/component-ref.ts';
import type { Conditions } from '../../../domain/status/conditions.ts';
import { boundedReason } from '../../../domain/status/reasons.ts';
import type { MetricDeclarations } from './metric-declaration.ts';
import type { MetricsExport } from './metrics-export.ts';

const component = {
  kind: '`KnativeServing` or `KnativeEventing`',
  namespace: 'Namespace of the resource',
  name: 'Name of the resource',
  spoke: '`namespace/name` of the ClusterProfile; empty for the hub',
} as const;

export const componentMetrics = {
  info: {
    type: 'gauge',
    name: 'knative_fleet_component_info',
    help: 'One for each resource.',
    labels: { ...component, version: 'Version of Knative that is installed; empty before the first' },
  },
  condition: {
    type: 'gauge',
    name: 'knative_fleet_component_condition',
    help: 'One for each condition of each resource, as it is now; `Finalizing` only while a resource is being deleted.',
    labels: {
      ...component,
      condition: 'Type of the condition, such as `Ready` or `TargetClusterResolved`',
      status: '`True`, `False` or `Unknown`',
      reason: 'Reason of the condition, see the reference of reasons; `Other` for one that is not listed',
    },
  },
  unverified: {
    type: 'gauge',
    name: 'knative_fleet_component_unverified_since_timestamp_seconds',
    help: 'Since when the target cannot be looked at, so that the other conditions may be out of date. Absent while it can.',
    labels: component,
  },
  finalizationBlocked: {
    type: 'gauge',
    name: 'knative_fleet_finalization_blocked_since_timestamp_seconds',
    help: 'When the deletion was asked for of a resource whose finalization is blocked or paused now. Absent while it is not.',
    labels: component,
  },
  abandoned: {
    type: 'gauge',
    name: 'knative_fleet_abandoned_objects',
    help: 'Objects that were left behind on a target by a decision, until their record is deleted.',
    labels: component,
  },
} as const satisfies MetricDeclarations;

/** A resource as a scrape shows it. */
export interface ComponentSample {
  readonly ref: ComponentRef;
  /** Empty for the hub. */
  readonly spoke: string;
  readonly version: string;
  readonly conditions: Conditions;
  /** RFC 3339, or undefined. */
  readonly unverifiedSince: string | undefined;
  readonly deletionTimestamp: string | undefined;
}

export interface AbandonedSample {
  readonly ref: ComponentRef;
  readonly spoke: string;
  readonly objects: number;
}

export interface ComponentSources {
  components(): readonly ComponentSample[];
  abandoned(): readonly AbandonedSample[];
}

/** Exports what a starter sees; a resource that is gone takes its series with it. */
export function exportComponents(metrics: MetricsExport, sources: ComponentSources): void {
  const gauges = metrics.register(componentMetrics);
  metrics.beforeScrape(() => {
    for (const gauge of Object.values(gauges)) gauge.reset();
    for (const sample of sources.components()) {
      const labels = { ...sample.ref, spoke: sample.spoke };
      gauges.info.set({ ...labels, version: sample.version }, 1);
      for (const { type, status, reason = '' } of sample.conditions)
        gauges.condition.set({ ...labels, condition: type, status, reason: boundedReason(reason) }, 1);
      setTime(gauges.unverified, labels, sample.unverifiedSince);
      if (isBlocked(sample)) setTime(gauges.finalizationBlocked, labels, sample.deletionTimestamp);
    }
    // Several incarnations of one name may have left something behind.
    for (const { ref, spoke, objects } of sources.abandoned())
      gauges.abandoned.inc({ ...ref, spoke }, objects);
  });
}

function isBlocked({ conditions }: ComponentSample): boolean {
  const finalizing = conditions.find(({ type }) => type === 'Finalizing');
  return finalizing?.reason === 'Blocked' || finalizing?.reason === 'Paused';
}

type Labels = Readonly<Record<keyof typeof component, string>>;

function setTime(gauge: Gauge<keyof Labels>, labels: Labels, time: string | undefined): void {
  const ms = Date.parse(time ?? '');
  if (!Number.isNaN(ms)) gauge.set(labels, ms / 1_000);
}
