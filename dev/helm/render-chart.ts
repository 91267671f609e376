import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { findBinaries } from '../binaries/find-binaries.ts';
import { runCommand } from '../processes/run-command.ts';

const chart = resolve(import.meta.dirname, '../../deploy/charts/knative-fleet');

export interface RenderChartOptions {
  readonly namespace: string;
  /** Put over the values of the chart. */
  readonly values: object;
}

/** What `helm template` makes of the chart; rejects with what Helm says about the values. */
export async function renderChart({ namespace, values }: RenderChartOptions): Promise<string> {
  const { helm } = await findBinaries(['helm']);
  const folder = await mkdtemp(join(tmpdir(), 'knative-fleet-chart-'));
  try {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    return await runCommand(helm, ['template', 'knative-fleet', chart, '-n', namespace, '-f', file], {
      env: { HOME: folder, PATH: process.env['PATH'] },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
