import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { messageOf, OperatorError } from '../../domain/errors.ts';
import type { BundleRef } from '../../domain/manifests/releases.ts';
import { bundlePath } from '../../domain/manifests/releases.ts';
import { checkAgainstRecord, recordChecksums } from './checksum-record.ts';
import { downloadText } from './download-text.ts';
import type { ParsedCache } from './parsed-cache.ts';
import type { ReleaseAsset } from './release-assets.ts';
import { assetIndex, assetsOf } from './release-assets.ts';
import { releaseDirectory } from './release-directory.ts';
import type { ReleaseSource } from './release-source.ts';

export interface ReleaseDownloadOptions {
  /** Becomes a release directory, with the checksums beside it. Several processes may share it. */
  readonly folder: string;
  /** Address of the publisher; default: GitHub. */
  readonly publisher?: string;
}

const github = 'https://github.com';
/** Where GitHub keeps the files of releases. */
const followedHosts = /^(github\.com|[a-z-]+\.githubusercontent\.com)$/;

/**
 * Published release files, downloaded once each into a folder that is a release directory from then on. The checksum
 * of a file is recorded with its first download, and the bundle is refused if that file is ever different: in the
 * folder, or published anew.
 */
export function releaseDownload(options: ReleaseDownloadOptions, cache: ParsedCache): ReleaseSource {
  const root = join(options.folder, 'bundles');
  const local = releaseDirectory(root, cache);
  const running = new Map<string, Promise<void>>();
  return {
    root,
    index: async () => assetIndex,
    async load(bundle) {
      const path = bundlePath(bundle);
      const fetching = running.get(path) ?? ensureBundle(options, bundle, cache);
      running.set(path, fetching);
      try {
        await fetching;
      } finally {
        running.delete(path);
      }
      return local.load(bundle);
    },
  };
}

async function ensureBundle(
  options: ReleaseDownloadOptions,
  bundle: BundleRef,
  cache: ParsedCache,
): Promise<void> {
  const place = placeOf(options.folder, bundle);
  const present = await readdir(place.files).catch(() => undefined);
  if (present !== undefined) {
    await checkAgainstRecord(place);
    return;
  }
  const assets = assetsOf(bundle);
  if (assets.length === 0) {
    throw new OperatorError(
      'ReleaseUnavailable',
      `${bundlePath(bundle)} is not among the releases that can be downloaded`,
    );
  }
  const texts = await Promise.all(assets.map((asset) => download(options, asset, cache)));
  await recordChecksums(place, new Map(texts));
  await keep(place.files, texts);
}

function placeOf(folder: string, bundle: BundleRef): { readonly files: string; readonly record: string } {
  const path = bundlePath(bundle);
  return { files: join(folder, 'bundles', path), record: join(folder, 'checksums', `${path}.json`) };
}

/** The file is parsed before it is kept, so that a part of one is never taken for the whole. */
async function download(
  { publisher = github }: ReleaseDownloadOptions,
  { file, path }: ReleaseAsset,
  cache: ParsedCache,
): Promise<readonly [string, string]> {
  const url = `${publisher}/${path}`;
  const text = await downloadText(url, {
    mayFollow: ({ protocol, hostname }) => protocol === 'https:' && followedHosts.test(hostname),
    adviceOnRedirect: 'releases are only taken from GitHub; use a release directory instead',
  });
  await cache.parse(text, url);
  return [file, text];
}

/** All files appear at once. Another process may have been faster; its files are the same then, by their checksums. */
async function keep(folder: string, texts: readonly (readonly [string, string])[]): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const partial = await mkdtemp(`${folder}.partial-`);
  try {
    for (const [file, text] of texts) await writeFile(join(partial, file), text);
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (/ENOTEMPTY|EEXIST/.test(messageOf(error))) return;
    throw new OperatorError('ReleaseUnavailable', `${folder} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
