import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { chartCopies } from './chart/chart-copies.ts';
import { installManifest } from './chart/install-manifest.ts';
import { crdFiles } from './crds/crd-files.ts';
import { cliReference } from './docs/cli-reference.ts';
import type { GeneratedFile } from './generated-file.ts';
import { configurationPage } from './reference/configuration-page.ts';
import { eventsPage } from './reference/events-page.ts';
import { metricsPage } from './reference/metrics-page.ts';
import { reasonsPage } from './reference/reasons-page.ts';
import { roleFiles } from './rights/role-files.ts';

/** Everything in the repository that is derived from declarations. Add a generator here. */
const generators: readonly (() => Promise<readonly GeneratedFile[]>)[] = [
  async () => crdFiles(),
  async () => [metricsPage(), reasonsPage(), eventsPage(), configurationPage()],
  roleFiles,
  chartCopies,
  async () => cliReference(),
];

/** All files that are derived from declarations, made anew. */
export async function generateFiles(): Promise<readonly GeneratedFile[]> {
  return (await Promise.all(generators.map((generate) => generate()))).flat();
}

async function write(file: GeneratedFile): Promise<void> {
  const path = resolve(import.meta.dirname, '..', file.path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, file.text);
  console.log(`wrote ${file.path}`);
}

if (import.meta.main) {
  for (const file of await generateFiles()) await write(file);
  // Rendered from the chart, some of whose files were just written.
  await write(await installManifest());
}
