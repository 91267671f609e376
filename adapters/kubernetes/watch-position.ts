import { OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord, recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { WatchEvent } from './cluster-client.ts';
import type { ListedObjects } from './list-objects.ts';
import { objectAnswer } from './object-answer.ts';

/** How far a watch has come, across its streams. */
export interface WatchPosition {
  /** Where the next stream goes on; undefined: from the initial set. */
  readonly resourceVersion: string | undefined;
  /** The initial set is not complete yet. */
  readonly isInitial: boolean;
  /**
   * Takes one line of a stream. Throws Conflict when the server forgot the place (410), ApplyRejected when it does not
   * mark the end of the initial set, ApiTransient for any other error event.
   */
  take(line: unknown): WatchEvent | undefined;
  /** Takes an initial set that was read as a list. */
  listed(objects: ListedObjects): WatchEvent;
  forget(): void;
}

interface WatchedType {
  readonly apiVersion: string;
  readonly kind: string;
  /** Objects keep their managedFields. */
  readonly managedFields?: boolean;
}

interface Progress {
  readonly type: WatchedType;
  resourceVersion: string | undefined;
  /** The initial set as it arrives; undefined once it is complete. */
  initial: Map<string, ManifestObject> | undefined;
  /** Bookmarks of the initial set that do not end it. */
  endless: number;
}

export function createWatchPosition(type: WatchedType): WatchPosition {
  const progress: Progress = { type, resourceVersion: undefined, initial: new Map(), endless: 0 };
  return {
    get resourceVersion() {
      return progress.resourceVersion;
    },
    get isInitial() {
      return progress.initial !== undefined;
    },
    take: (line) => take(progress, line),
    listed(objects) {
      progress.initial = undefined;
      progress.resourceVersion = objects.resourceVersion;
      return { type: 'SYNC', objects: objects.items.map((item) => trimmed(type, item)) };
    },
    forget() {
      progress.resourceVersion = undefined;
      progress.initial = new Map();
      progress.endless = 0;
    },
  };
}

function take(progress: Progress, line: unknown): WatchEvent | undefined {
  const type = stringAt(line, 'type');
  const body = isRecord(line) ? line['object'] : undefined;
  if (type === 'ERROR') throw watchError(progress, body);
  if (type === 'BOOKMARK') return takeBookmark(progress, body);
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') return takeChange(progress, type, body);
  throw new OperatorError(
    'ApiTransient',
    `watch of ${progress.type.kind}: the answer is no stream of events`,
  );
}

function takeBookmark(progress: Progress, body: unknown): WatchEvent | undefined {
  const ended = stringAt(body, 'metadata', 'annotations', 'k8s.io/initial-events-end') === 'true';
  if (progress.initial !== undefined && !ended) return noteEndless(progress);
  progress.resourceVersion = stringAt(body, 'metadata', 'resourceVersion') ?? progress.resourceVersion;
  if (progress.initial === undefined) return undefined;
  const objects = [...progress.initial.values()];
  progress.initial = undefined;
  return { type: 'SYNC', objects };
}

/** A server that does not know sendInitialEvents ignores it and never marks the end. */
function noteEndless(progress: Progress): undefined {
  progress.endless += 1;
  if (progress.endless < 2) return;
  throw new OperatorError('ApplyRejected', `watch of ${progress.type.kind}: no end of the initial set`);
}

function takeChange(
  progress: Progress,
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  body: unknown,
): WatchEvent | undefined {
  const object = trimmed(progress.type, objectAnswer(body, progress.type, `watch of ${progress.type.kind}`));
  if (progress.initial === undefined) {
    progress.resourceVersion = object.metadata.resourceVersion ?? progress.resourceVersion;
    return { type, object };
  }
  const key = `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
  if (type === 'DELETED') progress.initial.delete(key);
  else progress.initial.set(key, object);
  return undefined;
}

function trimmed(type: WatchedType, object: ManifestObject): ManifestObject {
  if (type.managedFields === true) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function watchError(progress: Progress, status: unknown): OperatorError {
  const code = recordAt({ status }, 'status')['code'];
  const message = stringAt(status, 'message') ?? 'the server reported an error';
  return new OperatorError(
    code === 410 ? 'Conflict' : 'ApiTransient',
    `watch of ${progress.type.kind}: ${message.slice(0, 600)}`,
  );
}
