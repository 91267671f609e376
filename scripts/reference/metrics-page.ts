import { metricAreas, usedTemporalMetrics } from '../../adapters/telemetry/metrics/metric-areas.ts';
import type { MetricArea } from '../../adapters/telemetry/metrics/metric-areas.ts';
import type { MetricDeclaration } from '../../adapters/telemetry/metrics/metric-declaration.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { code, page, table } from './markdown.ts';

export function metricsPage(): GeneratedFile {
  const parts = [
    'Workers and starters serve `/metrics` in the text format of Prometheus at `METRICS_BIND_ADDRESS`. Times are in seconds. ' +
      'Beside what is listed here there are the metrics of the process (`process_`, `nodejs_`) and, on workers, those of the Temporal SDK (`temporal_`). ' +
      'Alert rules: `deploy/prometheus/alerts.yaml`. Dashboard: `deploy/grafana/knative-fleet.json`.',
    ...metricAreas.map(section),
    temporalSection(),
  ];
  return {
    path: 'docs/reference/metrics.md',
    text: page('Metrics', 'adapters/telemetry/metrics', parts),
  };
}

function section({ title, from, declarations }: MetricArea): string {
  return [`## ${title}`, `From: ${lowerFirst(from)}`, ...Object.values(declarations).map(metric)].join(
    '\n\n',
  );
}

function metric({ name, type, help, labels }: MetricDeclaration): string {
  const rows = Object.entries(labels).map(([label, meaning]) => [code(label), meaning]);
  const head = `### ${code(name)}\n\n${type}. ${help}`;
  return rows.length === 0 ? head : `${head}\n\n${table(['label', 'meaning'], rows)}`;
}

function temporalSection(): string {
  const rows = Object.entries(usedTemporalMetrics).map(([name, labels]) => [
    code(name),
    labels.map(code).join(', '),
  ]);
  return `## Temporal SDK\n\nFrom: each worker. These are used by the alert rules and the dashboard:\n\n${table(['metric', 'labels used'], rows)}`;
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}
