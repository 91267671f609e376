import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ManifestObject } from '../../domain/manifests/object.ts';
import { groupOf, identityKey } from '../../domain/manifests/object.ts';

/** One recording: what the Go operator left on the cluster for one resource. */
export interface RecordedCase {
  readonly name: string;
  readonly kind: 'KnativeServing' | 'KnativeEventing';
  /** Installed on the cluster that holds the resource. */
  readonly local: boolean;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Readonly<Record<string, unknown>>;
  /** Whether it became Ready. */
  readonly ready: boolean;
  readonly status: RecordedStatus;
  readonly objects: readonly RecordedEntry[];
}

export interface RecordedStatus {
  readonly conditions: readonly { readonly type: string; readonly status: string }[];
  readonly version?: string;
  /** Relative to the release directory. */
  readonly manifests?: readonly string[];
}

export interface RecordedEntry {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Name of the file with the object. */
  readonly object: string;
}

/** As `keyOf` names the object of an entry. */
export function recordedKey({ apiVersion, kind, namespace, name }: RecordedEntry): string {
  return identityKey({ group: groupOf(apiVersion), kind, namespace, name });
}

/** All recorded cases of a directory by name, and the objects that they refer to. */
export interface Recordings {
  readonly cases: readonly RecordedCase[];
  /** The object that an entry names; read once. */
  object(entry: RecordedEntry): ManifestObject;
}

export function readRecordings(directory: string): Recordings {
  const objects = new Map<string, ManifestObject>();
  const folder = join(directory, 'cases');
  return {
    cases: readdirSync(folder)
      .toSorted()
      .map((file) => readJson<RecordedCase>(join(folder, file))),
    object({ object: digest }) {
      const path = join(directory, 'objects', `${digest}.json`);
      const object = objects.get(digest) ?? readJson<ManifestObject>(path);
      objects.set(digest, object);
      return object;
    },
  };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
