import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where built binaries and downloads are kept between runs, outside the source tree. */
export function cacheFolder(): string {
  const { KNATIVE_FLEET_CACHE, XDG_CACHE_HOME } = process.env;
  return KNATIVE_FLEET_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'knative-fleet');
}
