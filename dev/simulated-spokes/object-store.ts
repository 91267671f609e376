import { randomUUID } from 'node:crypto';

import type { ManifestObject } from '../../domain/manifests/object.ts';
import { appliedFields } from './applied-fields.ts';
import { readyStatus } from './ready-status.ts';

/** The objects of one simulated cluster, by the path that the API server would serve them at. */
export interface ObjectStore {
  get(path: string): ManifestObject | undefined;
  /** Objects right below a collection path; a collection of all namespaces holds those of each. */
  list(collection: string): readonly ManifestObject[];
  /** Creates or replaces; an equal body keeps its resourceVersion, as server-side apply does. */
  apply(path: string, body: ManifestObject, manager: string): { object: ManifestObject; created: boolean };
  remove(path: string): ManifestObject | undefined;
  readonly resourceVersion: string;
  /** Told after every change, until the returned function is called. */
  onChange(listener: (change: Change) => void): () => void;
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly path: string;
  readonly object: ManifestObject;
}

interface Stored {
  readonly object: ManifestObject;
  /** The body as it was sent. */
  readonly sent: string;
}

export function createObjectStore(): ObjectStore {
  const objects = new Map<string, Stored>();
  const listeners = new Set<(change: Change) => void>();
  let version = 1;
  const tell = (change: Change): void => {
    for (const listener of listeners) listener(change);
  };
  return {
    get: (path) => objects.get(path)?.object,
    list: (collection) =>
      [...objects].filter(([path]) => isIn(path, collection)).map(([, { object }]) => object),
    apply(path, body, manager) {
      const known = objects.get(path);
      const sent = bodyText(body);
      if (known?.sent === sent) return { object: known.object, created: false };
      version += 1;
      const object = stored(body, known?.object, { version: String(version), manager });
      objects.set(path, { object, sent });
      tell({ type: known === undefined ? 'ADDED' : 'MODIFIED', path, object });
      return { object, created: known === undefined };
    },
    remove(path) {
      const known = objects.get(path);
      if (known === undefined) return undefined;
      version += 1;
      objects.delete(path);
      tell({ type: 'DELETED', path, object: known.object });
      return known.object;
    },
    get resourceVersion() {
      return String(version);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** `/apis/apps/v1/deployments` also holds `/apis/apps/v1/namespaces/<any>/deployments/<name>`. */
export function isIn(path: string, collection: string): boolean {
  const parent = path.slice(0, path.lastIndexOf('/'));
  return parent === collection || parent.replace(/\/namespaces\/[^/]+\/([^/]+)$/, '/$1') === collection;
}

function stored(
  body: ManifestObject,
  known: ManifestObject | undefined,
  write: { readonly version: string; readonly manager: string },
): ManifestObject {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const generation = (known?.metadata.generation ?? 0) + 1;
  const metadata = {
    ...body.metadata,
    uid: known?.metadata.uid ?? randomUUID(),
    resourceVersion: write.version,
    generation,
    creationTimestamp: known?.metadata.creationTimestamp ?? now,
    managedFields: [
      { manager: write.manager, operation: 'Apply' as const, time: now, fieldsV1: appliedFields(body) },
    ],
  };
  const object = { ...body, metadata };
  const status = readyStatus(object, generation);
  return status === undefined ? object : { ...object, status };
}

/** What the server adds does not make a body another one. */
function bodyText(body: ManifestObject): string {
  const { resourceVersion: _version, managedFields: _fields, ...metadata } = body.metadata;
  return JSON.stringify({ ...body, metadata });
}
