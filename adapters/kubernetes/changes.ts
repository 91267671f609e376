import { isOperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ApiRequests } from './api-requests.ts';
import type { Changes, ChangesOptions } from './cluster-client.ts';
import type { Discovery } from './discovery.ts';
import type { ApiResource } from './discovery-documents.ts';
import { listObjects } from './list-objects.ts';
import { collectionPath } from './resource-path.ts';
import { createWatchPosition } from './watch-position.ts';
import { watchedMetadata } from './watch.ts';

/** What was missed is sent at once; what a slow link did not bring in this time comes with the next look. */
const streamSeconds = 2;
const idleMs = 30_000;

/**
 * A watch from an earlier place that ends after seconds: a look at a kind where nothing happened costs a few hundred
 * bytes instead of its list. The place stays where the last event of the kind was: the server's watch cache forgets it
 * (410) only when many others of the kind changed meanwhile, and then the list is read.
 */
export async function changesSince(
  parts: { readonly requests: ApiRequests; readonly discovery: Discovery },
  options: ChangesOptions,
): Promise<Changes> {
  const { since } = options;
  const resource = await parts.discovery.resource(options.apiVersion, options.kind, options.signal);
  if (since === undefined) return everything(parts.requests, resource, options);
  try {
    return await changed(parts.requests, resource, { ...options, since });
  } catch (error) {
    if (!isOperatorError(error, 'Conflict')) throw error;
    return everything(parts.requests, resource, options);
  }
}

async function everything(
  requests: ApiRequests,
  resource: ApiResource,
  options: ChangesOptions,
): Promise<Changes> {
  const { items, resourceVersion } = await listObjects(requests, resource, options);
  return { complete: true, present: items, gone: [], until: resourceVersion };
}

async function changed(
  requests: ApiRequests,
  resource: ApiResource,
  options: ChangesOptions & { readonly since: string },
): Promise<Changes> {
  const { apiVersion, kind } = options;
  const position = createWatchPosition({ apiVersion, kind, managedFields: true });
  position.listed({ items: [], resourceVersion: options.since });
  const seen = new Map<string, { readonly object: ManifestObject; readonly gone: boolean }>();
  for await (const line of requests.lines(requestFor(resource, options), idleMs)) {
    const event = position.take(line);
    if (event === undefined || event.type === 'SYNC') continue;
    const { object, type } = event;
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
    seen.set(key, { object, gone: type === 'DELETED' });
  }
  const last = [...seen.values()];
  return {
    complete: false,
    present: last.filter(({ gone }) => !gone).map(({ object }) => object),
    gone: last.filter(({ gone }) => gone).map(({ object }) => object),
    until: position.resourceVersion,
  };
}

function requestFor(
  resource: ApiResource,
  options: ChangesOptions & { readonly since: string },
): Parameters<ApiRequests['lines']>[0] {
  return {
    method: 'GET',
    path: collectionPath(resource, options.namespace),
    query: {
      watch: '1',
      timeoutSeconds: String(streamSeconds),
      resourceVersion: options.since,
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
    },
    accept: options.metadataOnly === true ? watchedMetadata : 'application/json',
    object: `changes of ${options.kind}`,
    signal: options.signal,
  };
}
