import { openReleases } from '../adapters/releases/open-releases.ts';
import type { ParsedCache } from '../adapters/releases/parsed-cache.ts';
import { createParsedCache } from '../adapters/releases/parsed-cache.ts';
import type { ReleaseSource } from '../adapters/releases/release-source.ts';
import { createUserManifests } from '../adapters/releases/user-manifests.ts';
import { createPlanner } from '../activities/plan/create-planner.ts';
import type { Planner } from '../activities/plan/planner.ts';
import type { WorkerOptions } from './connection-options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The releases of the worker, by the worker's own variables; flags win. */
export function openReleaseSource(options: WorkerOptions, environment: Environment): ReleaseSource {
  return sourceWith(options, environment, createParsedCache(environment['RELEASES_CACHE']));
}

/** The planner of the worker, by the worker's own variables; flags win. */
export function openPlanner(options: WorkerOptions, environment: Environment): Planner {
  const cache = createParsedCache(environment['RELEASES_CACHE']);
  const allowedPrefixes = (environment['MANIFEST_URL_PREFIXES'] ?? '').split(',').filter(Boolean);
  return createPlanner({
    releases: sourceWith(options, environment, cache),
    userManifests: createUserManifests({ allowedPrefixes }, cache),
    kubernetesMinVersion: environment['KUBERNETES_MIN_VERSION'],
  });
}

function sourceWith(options: WorkerOptions, environment: Environment, cache: ParsedCache): ReleaseSource {
  const settings = {
    releases: options.releases ?? environment['RELEASES_DIRECTORY'],
    releasesDownload: options.releasesDownload ?? environment['RELEASES_DOWNLOAD'] === 'true',
    cache: environment['RELEASES_CACHE'],
  };
  return openReleases(settings, cache);
}
