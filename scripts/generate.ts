import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { crdFiles } from './crds/crd-files.ts';
import type { GeneratedFile } from './generated-file.ts';

/** Everything in the repository that is derived from declarations. Add a generator here. */
export const generators: readonly (() => readonly GeneratedFile[])[] = [crdFiles];

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  for (const file of generators.flatMap((generate) => generate())) {
    const path = resolve(root, file.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.text);
    console.log(`wrote ${file.path}`);
  }
}
