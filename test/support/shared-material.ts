import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseManifests } from '../../adapters/releases/parse-manifests.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ReleaseIndex } from '../../domain/manifests/releases.ts';
import type { Recordings } from '../conformance/recordings.ts';
import { readRecordings } from '../conformance/recordings.ts';

const root = fileURLToPath(new URL('../../../shared/', import.meta.url));
const releases = join(root, 'releases');
/** The real releases beside the checkout, if they are there. */
export const sharedReleases = releases;
const conformance = join(root, 'conformance');

/** Whether real releases and recordings of the Go operator lie beside the checkout. */
export const hasSharedMaterial = existsSync(releases) && existsSync(conformance);

/** Empty where there are none. */
export const recordings: Recordings = hasSharedMaterial
  ? readRecordings(conformance)
  : {
      cases: [],
      object: ({ name }) => {
        throw new Error(`there is no recording of ${name}`);
      },
    };

export function sharedIndex(): ReleaseIndex {
  return {
    serving: list('knative-serving'),
    eventing: list('knative-eventing'),
    ingress: byMinor('ingress'),
    sources: byMinor('eventing-source'),
    guard: list('security-guard'),
  };
}

const bundles = new Map<string, readonly ManifestObject[]>();

/** The objects of one release directory, read once a process. */
export function bundleObjects(path: string): readonly ManifestObject[] {
  const known = bundles.get(path);
  if (known !== undefined) return known;
  const directory = join(releases, path);
  const objects = readdirSync(directory)
    .toSorted()
    .flatMap((file) => parseManifests(readFileSync(join(directory, file), 'utf8'), file));
  bundles.set(path, objects);
  return objects;
}

function list(directory: string): readonly string[] {
  return readdirSync(join(releases, directory));
}

function byMinor(directory: string): Record<string, readonly string[]> {
  return Object.fromEntries(list(directory).map((minor) => [minor, list(join(directory, minor))]));
}
