import { fileURLToPath } from 'node:url';

/** The release directory: the configured one, else the small sample that ships with this software. */
export function releasesRoot(configured: string | undefined): string {
  return configured ?? fileURLToPath(new URL('../releases/sample', import.meta.url));
}
