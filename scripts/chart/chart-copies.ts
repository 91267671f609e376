import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { GeneratedFile } from '../generated-file.ts';

const deploy = resolve(import.meta.dirname, '../../deploy');

/** A chart can only read its own files, so it has a copy of the admission policies and of the alert rules. */
export async function chartCopies(): Promise<readonly GeneratedFile[]> {
  const policies = (await readdir(resolve(deploy, 'admission'))).filter((name) => name.endsWith('.yaml'));
  const copies = [
    ...policies.map((name) => [`admission/${name}`, `admission/${name}`] as const),
    ['prometheus/alerts.yaml', 'alerts.yaml'] as const,
  ];
  return Promise.all(
    copies.map(async ([from, to]) => ({
      path: `deploy/charts/knative-fleet/files/${to}`,
      text: await readFile(resolve(deploy, from), 'utf8'),
    })),
  );
}
