import type { Operator } from '../operator/start-operator.ts';
import type { TemporalServer } from '../temporal/start-temporal.ts';
import { environmentFile } from './write-environment.ts';

/** Tells a person where everything is and what to read next. */
export function printHints(
  temporal: TemporalServer,
  { logs, operations }: Pick<Operator, 'logs' | 'operations'>,
): void {
  const lines = [
    `Temporal UI   ${temporal.uiAddress ?? ''}/namespaces/${temporal.namespace}/workflows`,
    `other shells  source ${environmentFile}`,
    `logs          ${logs.worker} ${logs.starter}`,
    `metrics       http://${operations.worker}/metrics http://${operations.starter}/metrics`,
    '',
    'Go on with docs/quick-start.md: that line gives a shell kubectl, temporal and knative-fleet for this demo.',
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
