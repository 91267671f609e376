import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { stringAt } from '../domain/manifests/object.ts';

/** The version of the package; one level further up where this file was built into `dist`. */
export function packageVersion(): string {
  const [sources = '', built = ''] = ['../package.json', '../../package.json'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const manifest: unknown = JSON.parse(readFileSync(existsSync(sources) ? sources : built, 'utf8'));
  return stringAt(manifest, 'version') ?? 'unknown';
}
