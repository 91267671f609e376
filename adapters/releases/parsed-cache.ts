import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ManifestObject } from '../../domain/manifests/object.ts';
import { parseManifests } from './parse-manifests.ts';

/** Raised when the reader changes, so that results of an older one are not used. */
const readerVersion = '2';

/** Parses each text once: in memory for the process, as JSON on disk for the next, because YAML is a hundred times slower. */
export interface ParsedCache {
  parse(text: string, source: string): Promise<readonly ManifestObject[]>;
}

export function createParsedCache(folder: string | undefined): ParsedCache {
  const memory = new Map<string, Promise<readonly ManifestObject[]>>();
  return {
    parse(text, source) {
      const digest = createHash('sha256').update(readerVersion).update(text).digest('hex');
      let parsed = memory.get(digest);
      if (parsed === undefined) {
        parsed = parseOnce({ text, source, file: folder && join(folder, `${digest}.json`) });
        memory.set(digest, parsed);
        parsed.catch(() => memory.delete(digest));
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
  if (file !== undefined) await writeJson(file, objects);
  return freeze(objects);
}

async function readJson(file: string): Promise<readonly ManifestObject[] | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as readonly ManifestObject[];
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
