import { readFile, realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { messageOf, OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { downloadText } from './download-text.ts';
import type { ParsedCache } from './parsed-cache.ts';

export interface UserManifestOptions {
  /**
   * URL prefixes that resources may name: https, or http to a loopback address and `file:` where an administrator
   * wants them.
   */
  readonly allowedPrefixes: readonly string[];
}

/** Loads what `spec.manifests` and `spec.additionalManifests` name; read anew at each pass. */
export interface UserManifests {
  /**
   * Throws SpecInvalid for a URL that is not allowed, ReleaseUnavailable when one cannot be had, ManifestInvalid when
   * it is not a manifest.
   */
  load(urls: readonly string[]): Promise<readonly ManifestObject[]>;
}

const maxFileBytes = 16 * 1024 * 1024;

export function createUserManifests(options: UserManifestOptions, cache: ParsedCache): UserManifests {
  const { allowedPrefixes } = options;
  return {
    async load(urls) {
      const parsed = await Promise.all(
        urls.map(async (url) => {
          refuseUnlisted(url, allowedPrefixes);
          const text = url.startsWith('file:')
            ? await readLocal(url, allowedPrefixes)
            : await download(url, allowedPrefixes);
          const objects = await cache.parse(text, url);
          if (objects.length > 0) return objects;
          throw new OperatorError('ManifestInvalid', `${url}: there is no Kubernetes object in it`);
        }),
      );
      return parsed.flat();
    },
  };
}

const askForPrefix = 'ask an administrator to add its prefix to MANIFEST_URL_PREFIXES of the worker';

function refuseUnlisted(url: string, allowed: readonly string[]): void {
  const shown = url.slice(0, 200);
  if (!URL.canParse(url)) {
    throw new OperatorError(
      'SpecInvalid',
      `manifest URL ${shown} is no URL; local paths cannot be used, publish the file by https`,
    );
  }
  const parsed = new URL(url);
  if (!isSafe(parsed)) {
    throw new OperatorError(
      'SpecInvalid',
      `manifest URL ${shown} must be https and hold no user, password or encoded dots or slashes`,
    );
  }
  if (isListed(parsed, allowed)) return;
  throw new OperatorError(
    'SpecInvalid',
    `manifest URL ${shown} is not under an allowed prefix (${allowed.join(', ') || 'none is configured'}); ${askForPrefix}`,
  );
}

function isSafe({ protocol, hostname, username, password, href }: URL): boolean {
  const loopback = hostname === '127.0.0.1' || hostname === '[::1]';
  const known = protocol === 'https:' || protocol === 'file:' || (protocol === 'http:' && loopback);
  return known && username === '' && password === '' && !/%2e|%2f|%5c/i.test(href);
}

/** A prefix ends at a path segment, and dot segments cannot lead out of it: both sides are normalized first. */
function isListed({ href }: URL, allowed: readonly string[]): boolean {
  return allowed.some((prefix) => {
    if (!URL.canParse(prefix)) return false;
    const start = new URL(prefix).href;
    return href === start || href.startsWith(start.endsWith('/') ? start : `${start}/`);
  });
}

function download(url: string, allowed: readonly string[]): Promise<string> {
  return downloadText(url, {
    mayFollow: (next) => next.protocol !== 'file:' && isSafe(next) && isListed(next, allowed),
    adviceOnRedirect: askForPrefix,
  });
}

/** Links cannot lead out of the allowed folder either. */
async function readLocal(url: string, allowed: readonly string[]): Promise<string> {
  try {
    const path = await realpath(fileURLToPath(url));
    refuseUnlisted(`file://${path}`, allowed);
    const bytes = await readFile(path);
    if (bytes.length > maxFileBytes) throw new Error(`it is larger than ${String(maxFileBytes)} bytes`);
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError('ReleaseUnavailable', `${url} cannot be read: ${messageOf(error)}`);
  }
}
