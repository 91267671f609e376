import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { BundleRef, ReleaseIndex } from '../../domain/manifests/releases.ts';
import { bundlePath } from '../../domain/manifests/releases.ts';
import type { ParsedCache } from './parsed-cache.ts';
import type { ReleaseSource } from './release-source.ts';

/** A directory in the layout `<component>/<version>[/<plug-in>]/*.yaml`; files are read in name order. */
export function releaseDirectory(root: string, cache: ParsedCache): ReleaseSource {
  return {
    root,
    index: () => readIndex(root),
    load: (bundle) => loadBundle(root, bundle, cache),
  };
}

async function readIndex(root: string): Promise<ReleaseIndex> {
  const [serving, eventing, ingress, sources, guard] = await Promise.all([
    names(join(root, 'knative-serving')),
    names(join(root, 'knative-eventing')),
    nested(join(root, 'ingress')),
    nested(join(root, 'eventing-source')),
    names(join(root, 'security-guard')),
  ]);
  return { serving, eventing, ingress, sources, guard };
}

async function nested(folder: string): Promise<Record<string, readonly string[]>> {
  const minors = await names(folder);
  const entries = await Promise.all(
    minors.map(async (minor) => [minor, await names(join(folder, minor))] as const),
  );
  return Object.fromEntries(entries);
}

async function names(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

async function loadBundle(
  root: string,
  bundle: BundleRef,
  cache: ParsedCache,
): Promise<readonly ManifestObject[]> {
  const folder = join(root, bundlePath(bundle));
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) {
    throw new OperatorError('ReleaseUnavailable', `stat ${folder}: no such file or directory`);
  }
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .toSorted();
  const parsed = await Promise.all(
    files.map(async (file) => cache.parse(await readFile(file, 'utf8'), file)),
  );
  return parsed.flat();
}
