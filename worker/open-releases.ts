import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ParsedCache } from '../adapters/releases/parsed-cache.ts';
import { releaseDirectory } from '../adapters/releases/release-directory.ts';
import { releaseDownload } from '../adapters/releases/release-download.ts';
import type { ReleaseSource } from '../adapters/releases/release-source.ts';
import type { WorkerConfig } from './config.ts';

/** The configured directory, else published releases if wanted, else the small sample that ships with this software. */
export function openReleases(
  config: Pick<WorkerConfig, 'releases' | 'releasesDownload' | 'cache'>,
  cache: ParsedCache,
): ReleaseSource {
  if (config.releases !== undefined) return releaseDirectory(config.releases, cache);
  if (!config.releasesDownload) return releaseDirectory(sampleReleases(), cache);
  const folder = join(config.cache ?? join(tmpdir(), 'knative-fleet'), 'downloads');
  return releaseDownload({ folder }, cache);
}

/** One level further up where this file was built into `dist`. */
function sampleReleases(): string {
  const [sources, built] = ['../releases/sample', '../../releases/sample'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return sources !== undefined && existsSync(sources) ? sources : (built ?? '');
}
