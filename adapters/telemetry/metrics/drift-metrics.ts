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

export interface DriftSeries extends DriftObserver {
  /** Begins at zero: a series that begins with its first increment shows no increase. */
  begin(component: ComponentRef): void;
  /** Takes the series of a component back. */
  forget(component: ComponentRef): void;
}

export function observeDrift(metrics: MetricsExport): DriftSeries {
  const { found, repaired } = metrics.register(driftMetrics);
  const labelsOf = ({ kind, namespace, name }: ComponentRef) => ({ kind, namespace, name });
  return {
    found: (component, objects) => found.inc(labelsOf(component), objects),
    repaired: (component, objects) => repaired.inc(labelsOf(component), objects),
    begin(component) {
      for (const counter of [found, repaired]) counter.inc(labelsOf(component), 0);
    },
    forget(component) {
      for (const counter of [found, repaired]) counter.remove(labelsOf(component));
    },
  };
}
