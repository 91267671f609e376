import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ManifestObject } from '../../domain/manifests/object.ts';
import { parseManifests } from './parse-manifests.ts';

/** Raised when the reader changes, so that results of an older one are not used. */
const readerVersion = '2';

/** More texts than all releases have; beyond it, those that were asked for longest ago are forgotten. */
const maxKept = 512;

/**
 * Parses each text once: in memory for the process, as JSON on disk for the next, because YAML is a hundred times slower.
 * Objects are deep-frozen and shared by all who ask.
 */
export interface ParsedCache {
  parse(text: string, source: string): Promise<readonly ManifestObject[]>;
}

export function createParsedCache(folder: string | undefined): ParsedCache {
  const memory = new Map<string, Promise<readonly ManifestObject[]>>();
  return {
    parse(text, source) {
      const digest = createHash('sha256').update(readerVersion).update(text).digest('hex');
      const known = memory.get(digest);
      const parsed = known ?? parseOnce({ text, source, file: folder && join(folder, `${digest}.json`) });
      memory.delete(digest);
      memory.set(digest, parsed);
      if (known === undefined) {
        parsed.catch(() => memory.delete(digest));
        const oldest = memory.size > maxKept ? memory.keys().next().value : undefined;
        if (oldest !== undefined) memory.delete(oldest);
      }
      return parsed;
    },
  };
}

async function parseOnce(input: {
  text: string;
  source: string;
  file: string | undefined;
}): Promise<readonly ManifestObject[]> {
  const { text, source, file } = input;
  const known = file === undefined ? undefined : await readJson(file);
  if (known !== undefined) return freeze(known);
  const objects = parseManifests(text, source);
  // Without a cache that can be written, everything works and only takes longer.
  if (file !== undefined) await writeJson(file, objects).catch(() => undefined);
  return freeze(objects);
}

async function readJson(file: string): Promise<readonly ManifestObject[] | undefined> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
    return Array.isArray(parsed) ? (parsed as readonly ManifestObject[]) : undefined;
  } catch {
    return undefined;
  }
}

async function writeJson(file: string, objects: readonly ManifestObject[]): Promise<void> {
  const partial = `${file}.${String(process.pid)}.partial`;
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(partial, JSON.stringify(objects));
  await rename(partial, file);
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}
