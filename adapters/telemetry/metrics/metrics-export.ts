import { collectDefaultMetrics, Registry } from 'prom-client';

import { registerMetrics } from './metric-declaration.ts';
import type { Instruments, MetricDeclarations } from './metric-declaration.ts';

/** The metrics of one process. */
export interface MetricsExport {
  register<D extends MetricDeclarations>(declarations: D): Instruments<D>;
  /** Sets values that are only known when somebody asks. */
  beforeScrape(refresh: () => void): void;
  /** In the text format of Prometheus. */
  text(): Promise<string>;
}

/** With the metrics of the process itself: memory, CPU, event loop. */
export function createMetricsExport(): MetricsExport {
  const registry = new Registry();
  const refreshes: (() => void)[] = [];
  collectDefaultMetrics({ register: registry });
  return {
    register: (declarations) => registerMetrics(registry, declarations),
    beforeScrape: (refresh) => void refreshes.push(refresh),
    text() {
      for (const refresh of refreshes) refresh();
      return registry.metrics();
    },
  };
}
