import { readFile, realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { request } from 'undici';

import { messageOf, OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ParsedCache } from './parsed-cache.ts';

export interface UserManifestOptions {
  /** URL prefixes that resources may name; an https:// prefix, or one that an administrator allows on purpose. */
  readonly allowedPrefixes: readonly string[];
}

/** Loads what `spec.manifests` and `spec.additionalManifests` name; read anew at each pass. */
export interface UserManifests {
  /** Throws ReleaseUnavailable when a URL cannot be had, ManifestInvalid when it is not a manifest. */
  load(urls: readonly string[]): Promise<readonly ManifestObject[]>;
}

const maxBytes = 16 * 1024 * 1024;
const timeLimitMs = 30_000;

export function createUserManifests(options: UserManifestOptions, cache: ParsedCache): UserManifests {
  return {
    async load(urls) {
      const parsed = await Promise.all(
        urls.map(async (url) => {
          refuseUnlisted(url, options.allowedPrefixes);
          const text = url.startsWith('file:') ? await readLocal(url, options) : await download(url);
          const objects = await cache.parse(text, url);
          if (objects.length > 0) return objects;
          throw new OperatorError('ManifestInvalid', `${url}: there is no Kubernetes object in it`);
        }),
      );
      return parsed.flat();
    },
  };
}

/** A prefix ends at a path segment, and dot segments cannot lead out of it: both sides are normalized first. */
function refuseUnlisted(url: string, allowed: readonly string[]): void {
  if (URL.canParse(url)) {
    const { href, username, password } = new URL(url);
    const listed = allowed.some((prefix) => URL.canParse(prefix) && href.startsWith(new URL(prefix).href));
    if (listed && username === '' && password === '' && !/%2e|%2f/i.test(href)) return;
  }
  throw new OperatorError(
    'SpecInvalid',
    `manifest URL ${url.slice(0, 200)} is not under an allowed prefix (${allowed.join(', ') || 'none is configured'}); ` +
      'ask an administrator to add its prefix to MANIFEST_URL_PREFIXES of the worker',
  );
}

async function download(url: string): Promise<string> {
  try {
    const answer = await request(url, {
      signal: AbortSignal.timeout(timeLimitMs),
      headers: { accept: '*/*' },
    });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      throw new Error(`answered ${String(answer.statusCode)}`);
    }
    return await readBounded(answer.body);
  } catch (error) {
    throw new OperatorError('ReleaseUnavailable', `${url} cannot be loaded: ${messageOf(error)}`);
  }
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`is larger than ${String(maxBytes)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function readLocal(url: string, options: UserManifestOptions): Promise<string> {
  try {
    const path = await realpath(fileURLToPath(url));
    refuseUnlisted(`file://${path}`, options.allowedPrefixes);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError('ReleaseUnavailable', `${url} cannot be read: ${messageOf(error)}`);
  }
}
