import { setTimeout as sleep } from 'node:timers/promises';

import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { ApiRequests } from './api-requests.ts';
import { createBackoff } from './backoff.ts';
import type { WatchEvent, WatchOptions } from './cluster-client.ts';
import type { Discovery } from './discovery.ts';
import type { ApiResource } from './discovery-documents.ts';
import { listObjects } from './list-objects.ts';
import { collectionPath } from './resource-path.ts';
import { createWatchPosition } from './watch-position.ts';
import type { WatchPosition } from './watch-position.ts';

/** Bookmarks come once a minute, so a stream that is silent for longer is dead. */
const idleMs = 95_000;
/** A stream that lasted this long was healthy. */
const healthyMs = 5_000;
/** A resourceVersion from before an etcd restore gives a stream that is silent for ever; a fresh start ends that. */
const relistMs = 20 * 60_000;
/** Shortest stream, in seconds; the longest is twice that. */
const streamSeconds = { usual: 300, lasting: 1_800 };

/** Accept header of a stream of metadata. */
export const watchedMetadata =
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';

interface Watch {
  readonly requests: ApiRequests;
  readonly discovery: Discovery;
  readonly options: WatchOptions & { readonly signal: AbortSignal };
  readonly position: WatchPosition;
  /** The server cannot send the initial set on a watch. */
  listsFirst: boolean;
  relistAt: number;
}

/**
 * Watches one kind for ever: resumes where a stream broke, starts over when the server forgot the place (410), backs off
 * with jitter, and never gives up until the signal aborts. The library's informer
 * stops for good on a refused or cut connection, so this is our own.
 */
export async function* watchObjects(
  parts: { readonly requests: ApiRequests; readonly discovery: Discovery },
  options: WatchOptions & { readonly signal: AbortSignal },
): AsyncGenerator<WatchEvent> {
  const position = createWatchPosition(options);
  const watch: Watch = { ...parts, options, position, listsFirst: false, relistAt: nextRelist() };
  const backoff = createBackoff({ minMs: 500, maxMs: 30_000 });
  const { signal } = options;
  while (!signal.aborted) {
    const startedAt = performance.now();
    let failed = false;
    try {
      yield* streamOnce(watch);
    } catch (error) {
      if (signal.aborted) return;
      failed = true;
      noteInterruption(watch, error);
    }
    if (options.lasting !== true && performance.now() > watch.relistAt) startOver(watch);
    const healthy = performance.now() - startedAt >= healthyMs;
    if (healthy) backoff.reset();
    if (failed || !healthy) await sleep(backoff.next(), undefined, { signal }).catch(() => undefined);
  }
}

/** From the stored position to the end of one stream. */
async function* streamOnce(watch: Watch): AsyncGenerator<WatchEvent> {
  const { options, position } = watch;
  const resource = await watch.discovery.resource(options.apiVersion, options.kind, options.signal);
  if (watch.listsFirst && position.resourceVersion === undefined) {
    const event = position.listed(await listObjects(watch.requests, resource, options));
    yield event;
    release(event);
  }
  for await (const line of watch.requests.lines(streamRequest(watch, resource), idleMs)) {
    const event = position.take(line);
    if (event === undefined) continue;
    yield event;
    release(event);
  }
}

/** All who wait for the next event hold on to the last one, this generator included: hours with every object of a kind. */
function release(event: WatchEvent): void {
  if (event.type === 'SYNC') event.objects = [];
}

function streamRequest(watch: Watch, resource: ApiResource): Parameters<ApiRequests['lines']>[0] {
  const { options, position } = watch;
  const shortest = options.lasting === true ? streamSeconds.lasting : streamSeconds.usual;
  const from =
    position.resourceVersion === undefined
      ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }
      : { resourceVersion: position.resourceVersion };
  return {
    method: 'GET',
    path: collectionPath(resource, options.namespace),
    query: {
      watch: '1',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(Math.floor(shortest * (1 + Math.random()))),
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
      ...from,
    },
    accept: options.metadataOnly === true ? watchedMetadata : 'application/json',
    object: `watch of ${options.kind}`,
    signal: options.signal,
  };
}

function noteInterruption(watch: Watch, error: unknown): void {
  const { position, options } = watch;
  // 400 and 422: the server does not know sendInitialEvents.
  if (position.isInitial && isOperatorError(error, 'ApplyRejected')) watch.listsFirst = true;
  if (isOperatorError(error, 'Conflict') || position.isInitial) startOver(watch);
  options.onInterruption?.(interruption(options, error));
}

function interruption(options: WatchOptions, error: unknown): unknown {
  if (!isOperatorError(error, 'Conflict')) return error;
  return new OperatorError('ApiTransient', `watch of ${options.kind}: starts over (${error.message})`, {
    cause: error,
  });
}

function startOver(watch: Watch): void {
  watch.position.forget();
  watch.relistAt = nextRelist();
}

function nextRelist(): number {
  return performance.now() + relistMs * (0.75 + Math.random() / 2);
}
