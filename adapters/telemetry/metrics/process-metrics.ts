import type { Dependencies } from '../../operations/dependencies.ts';
import type { MetricDeclarations } from './metric-declaration.ts';
import type { MetricsExport } from './metrics-export.ts';

export const processMetrics = {
  reachable: {
    type: 'gauge',
    name: 'knative_fleet_reachable',
    help: 'Whether what the process depends on answered the last time it was asked, which happens every 10 seconds: 1 or 0.',
    labels: { dependency: '`temporal` or `hub`' },
  },
} as const satisfies MetricDeclarations;

export function exportReachability(metrics: MetricsExport, dependencies: Dependencies): void {
  const { reachable } = metrics.register(processMetrics);
  metrics.beforeScrape(() => {
    for (const dependency of ['temporal', 'hub'] as const)
      reachable.set({ dependency }, dependencies[dependency].reachable ? 1 : 0);
  });
}
