import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { GeneratedFile } from '../generated-file.ts';

const folder = resolve(import.meta.dirname, '../../deploy/admission');

/** A chart can only read its own files, so it has a copy of the admission policies. */
export async function admissionCopies(): Promise<readonly GeneratedFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));
  return Promise.all(
    names.map(async (name) => ({
      path: `deploy/charts/knative-fleet/files/admission/${name}`,
      text: await readFile(resolve(folder, name), 'utf8'),
    })),
  );
}
