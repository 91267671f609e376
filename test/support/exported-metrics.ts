import { metricAreas, usedTemporalMetrics } from '../../adapters/telemetry/metrics/metric-areas.ts';
import { createMetricsExport } from '../../adapters/telemetry/metrics/metrics-export.ts';

/** Labels that Prometheus itself adds to what it scrapes. */
export const scrapeLabels: readonly string[] = ['job', 'instance'];

/** Every series that is exported, with its labels: declared ones, those of the process and the listed ones of the SDK. */
export async function exportedMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const exported = new Map<string, readonly string[]>();
  for (const { declarations } of metricAreas) {
    for (const { name, type, labels } of Object.values(declarations))
      add(exported, { name, histogram: type === 'histogram' }, Object.keys(labels));
  }
  for (const [name, labels] of Object.entries(usedTemporalMetrics))
    add(exported, { name, histogram: name.endsWith('_latency_seconds') }, labels);
  const text = await createMetricsExport().text();
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+)/gm)) exported.set(name, []);
  return exported;
}

function add(
  exported: Map<string, readonly string[]>,
  { name, histogram }: { readonly name: string; readonly histogram: boolean },
  labels: readonly string[],
): void {
  if (!histogram) exported.set(name, labels);
  else {
    exported.set(`${name}_bucket`, [...labels, 'le']);
    exported.set(`${name}_sum`, labels);
    exported.set(`${name}_count`, labels);
  }
}
