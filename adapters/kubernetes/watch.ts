import { setTimeout as sleep } from 'node:timers/promises';

import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord, recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { ApiRequests } from './api-requests.ts';
import type { WatchEvent, WatchOptions } from './cluster-client.ts';
import type { Discovery } from './discovery.ts';
import { readJsonLines } from './json-lines.ts';
import { resourcePath } from './resource-path.ts';

/** Bookmarks come once a minute, so a stream that is silent for longer is dead. */
const idleTimeoutMs = 95_000;
const minBackoffMs = 500;
const maxBackoffMs = 30_000;
/** A resourceVersion from before an etcd restore gives a stream that is silent for ever; a fresh start ends that. */
const relistMs = 20 * 60_000;

interface WatchParts {
  readonly requests: ApiRequests;
  readonly discovery: Discovery;
}

/** The state of one watch between its streams. */
interface Position {
  resourceVersion: string | undefined;
  /** The initial set as it arrives; undefined once it is complete. */
  initial: Map<string, ManifestObject> | undefined;
  startedAt: number;
}

type WatchSettings = WatchOptions & { readonly signal: AbortSignal };

/**
 * Watches one kind for ever: resumes where a stream broke, starts over when the server forgot the place (410), backs off
 * with jitter, and never gives up until the signal aborts. The library's informer stops for good on a refused or cut
 * connection, so this is our own.
 */
export async function* watchObjects(parts: WatchParts, options: WatchSettings): AsyncGenerator<WatchEvent> {
  const position: Position = { resourceVersion: undefined, initial: new Map(), startedAt: performance.now() };
  let backoffMs = minBackoffMs;
  while (!options.signal.aborted) {
    try {
      for await (const event of streamOnce(parts, options, position)) {
        backoffMs = minBackoffMs;
        yield event;
      }
      if (performance.now() - position.startedAt > relistMs) restart(position);
    } catch (error) {
      if (options.signal.aborted) return;
      if (isOperatorError(error, 'Conflict')) restart(position);
      else {
        options.onInterruption?.(error);
        await pause(backoffMs * (0.75 + Math.random() / 2), options.signal);
        backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
      }
      if (position.initial !== undefined) restart(position);
    }
  }
}

async function* streamOnce(
  parts: WatchParts,
  options: WatchSettings,
  position: Position,
): AsyncGenerator<WatchEvent> {
  const resource = await parts.discovery.resource(options.apiVersion, options.kind);
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(new Error('the watch was silent for too long')), idleTimeoutMs);
  try {
    const response = await parts.requests.stream({
      method: 'GET',
      path: resourcePath(resource, options.namespace),
      query: watchQuery(options, position),
      accept: options.metadataOnly === true ? metadataWatchAccept : 'application/json',
      object: `watch of ${options.kind}`,
      signal: AbortSignal.any([options.signal, idle.signal]),
    });
    for await (const line of readJsonLines(response.body)) {
      timer.refresh();
      const event = interpret(line, options, position);
      if (event !== undefined) yield event;
    }
  } catch (error) {
    // A stream that ends in mid-line or is reset is an ordinary interruption.
    throw isOperatorError(error) || options.signal.aborted
      ? error
      : new OperatorError('SpokeUnreachable', String(error));
  } finally {
    clearTimeout(timer);
    idle.abort(new Error('the watch ended'));
  }
}

const metadataWatchAccept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';

function watchQuery(options: WatchSettings, position: Position): Record<string, string | undefined> {
  const initial =
    position.resourceVersion === undefined
      ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }
      : { resourceVersion: position.resourceVersion };
  return {
    watch: '1',
    allowWatchBookmarks: 'true',
    timeoutSeconds: String(300 + Math.floor(Math.random() * 300)),
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    ...initial,
  };
}

function interpret(line: unknown, options: WatchSettings, position: Position): WatchEvent | undefined {
  const object = recordAt(line, 'object');
  const type = stringAt(line, 'type') ?? '';
  switch (type) {
    case 'ERROR':
      throw watchError(object, options);
    case 'BOOKMARK':
      return bookmark(object, position);
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return change(
        type,
        { ...object, apiVersion: options.apiVersion, kind: options.kind } as ManifestObject,
        position,
      );
    default:
      return undefined;
  }
}

function bookmark(object: unknown, position: Position): WatchEvent | undefined {
  const ended = stringAt(object, 'metadata', 'annotations', 'k8s.io/initial-events-end') === 'true';
  if (!ended && position.initial !== undefined) return undefined;
  position.resourceVersion = stringAt(object, 'metadata', 'resourceVersion') ?? position.resourceVersion;
  return ended ? synced(position) : undefined;
}

function change(
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  object: ManifestObject,
  position: Position,
): WatchEvent | undefined {
  const { namespace = '', name = '', resourceVersion } = object.metadata;
  const key = `${namespace}/${name}`;
  if (position.initial !== undefined) {
    if (type === 'DELETED') position.initial.delete(key);
    else position.initial.set(key, object);
    return undefined;
  }
  position.resourceVersion = resourceVersion ?? position.resourceVersion;
  return { type, object };
}

function synced(position: Position): WatchEvent {
  const objects = [...(position.initial?.values() ?? [])];
  position.initial = undefined;
  return { type: 'SYNC', objects };
}

function watchError(status: unknown, options: WatchSettings): OperatorError {
  const code = isRecord(status) ? status['code'] : undefined;
  const message = `watch of ${options.kind}: ${stringAt(status, 'message') ?? 'the server reported an error'}`;
  return new OperatorError(code === 410 ? 'Conflict' : 'ApiTransient', message);
}

function restart(position: Position): void {
  position.resourceVersion = undefined;
  position.initial = new Map();
  position.startedAt = performance.now();
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
