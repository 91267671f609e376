import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ReleaseIndex } from '../../domain/manifests/releases.ts';

const root = fileURLToPath(new URL('../../../shared/', import.meta.url));
const releases = join(root, 'releases');
/** The real releases beside the checkout, if they are there. */
export const sharedReleases = releases;
const conformance = join(root, 'conformance');

/** Whether real releases and recordings of the Go operator lie beside the checkout. */
export const hasSharedMaterial = existsSync(releases) && existsSync(conformance);

/** One recording: what the Go operator left for one resource. */
export interface RecordedCase {
  readonly name: string;
  readonly kind: 'KnativeServing' | 'KnativeEventing';
  readonly local?: boolean;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Record<string, unknown>;
  readonly status: { readonly version?: string; readonly manifests?: readonly string[] };
  readonly objects: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly object: string;
  }[];
}

export function recordedCases(): readonly RecordedCase[] {
  if (!hasSharedMaterial) return [];
  const directory = join(conformance, 'cases');
  return readdirSync(directory).map((file) => ({
    name: file.replace(/\.json$/, ''),
    ...(readJson(join(directory, file)) as Omit<RecordedCase, 'name'>),
  }));
}

export function recordedObject(digest: string): ManifestObject {
  return readJson(join(conformance, 'objects', `${digest}.json`)) as ManifestObject;
}

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
    .flatMap((file) => parseManifests(readFileSync(join(directory, file), 'utf8')));
  bundles.set(path, objects);
  return objects;
}

function parseManifests(text: string): readonly ManifestObject[] {
  return parseAllDocuments(text, { merge: true, uniqueKeys: true })
    .map((document) => document.toJS() as ManifestObject | null)
    .filter((object) => object !== null);
}

function list(directory: string): readonly string[] {
  return readdirSync(join(releases, directory));
}

function byMinor(directory: string): Record<string, readonly string[]> {
  return Object.fromEntries(list(directory).map((minor) => [minor, list(join(directory, minor))]));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
