import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where built binaries and downloads are kept between runs, outside the source tree. */
export function cacheFolder(): string {
  const { KNATIVE_FLEET_CACHE, XDG_CACHE_HOME } = process.env;
  if (KNATIVE_FLEET_CACHE) return resolve(KNATIVE_FLEET_CACHE);
  return join(XDG_CACHE_HOME ? resolve(XDG_CACHE_HOME) : join(homedir(), '.cache'), 'knative-fleet');
}
