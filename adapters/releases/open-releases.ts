import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ParsedCache } from './parsed-cache.ts';
import { releaseDirectory } from './release-directory.ts';
import { releaseDownload } from './release-download.ts';
import type { ReleaseSource } from './release-source.ts';

export interface ReleaseSettings {
  /** A directory; it has precedence. */
  readonly releases: string | undefined;
  /** Take published releases from GitHub. */
  readonly releasesDownload: boolean;
  /** Keeps what was downloaded and parsed. */
  readonly cache: string | undefined;
}

/** The configured directory, else published releases if wanted, else the small sample that ships with this software. */
export function openReleases(settings: ReleaseSettings, cache: ParsedCache): ReleaseSource {
  if (settings.releases !== undefined) return releaseDirectory(settings.releases, cache);
  if (!settings.releasesDownload) return releaseDirectory(sampleReleases(), cache);
  const folder = join(settings.cache ?? join(tmpdir(), 'knative-fleet'), 'downloads');
  return releaseDownload({ folder }, cache);
}

/** One level further up where this file was built into `dist`. */
function sampleReleases(): string {
  const [sources, built] = ['../../releases/sample', '../../../releases/sample'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return sources !== undefined && existsSync(sources) ? sources : (built ?? '');
}
