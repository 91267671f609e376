import type { ComponentRef } from '../../../domain/api/component-ref.ts';
import type { MetricDeclarations } from './metric-declaration.ts';
import type { MetricsExport } from './metrics-export.ts';

const labels = {
  kind: '`KnativeServing` or `KnativeEventing`',
  namespace: 'Namespace of the resource',
  name: 'Name of the resource',
} as const;

export const driftMetrics = {
  found: {
    type: 'counter',
    name: 'knative_fleet_drift_found_total',
    help: 'Objects on a target that were found missing or changed by somebody else.',
    labels,
  },
  repaired: {
    type: 'counter',
    name: 'knative_fleet_drift_repaired_total',
    help: 'Objects of these that a pass has put right.',
    labels,
  },
} as const satisfies MetricDeclarations;

export interface DriftObserver {
  found(component: ComponentRef, objects: number): void;
  repaired(component: ComponentRef, objects: number): void;
}

export function observeDrift(metrics: MetricsExport): DriftObserver {
  const counters = metrics.register(driftMetrics);
  // A series that begins with its first increment shows no increase.
  const begin = ({ kind, namespace, name }: ComponentRef) => {
    const series = { kind, namespace, name };
    counters.found.inc(series, 0);
    counters.repaired.inc(series, 0);
    return series;
  };
  return {
    found: (component, objects) => counters.found.inc(begin(component), objects),
    repaired: (component, objects) => counters.repaired.inc(begin(component), objects),
  };
}
