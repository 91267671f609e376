import { isOperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { describeIdentity, identityOf, listAt, stringAt } from '../../domain/manifests/object.ts';
import type { ApiRequest, ApiRequests, RequestObservation } from './api-requests.ts';
import { createApiRequests } from './api-requests.ts';
import type { ApplyOptions, ClusterClient, DeleteOptions, ListOptions, ObjectRef } from './cluster-client.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { createDiscovery } from './discovery.ts';
import type { Discovery } from './discovery.ts';
import { resourcePath } from './resource-path.ts';
import { defaultLimits } from './transport.ts';
import { watchObjects } from './watch.ts';

export interface ClusterClientOptions {
  readonly fieldManager: string;
  readonly userAgent?: string;
  readonly onRequest?: (observation: RequestObservation) => void;
}

const metadataAccept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const metadataListAccept =
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
const discoveryAccept =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
const pageSize = '500';

/** A ClusterClient over HTTP/2 (or 1.1) on undici. */
export function createClusterClient(
  settings: ConnectionSettings,
  options: ClusterClientOptions,
): ClusterClient {
  const limits = { ...defaultLimits, ...settings.limits };
  const userAgent = options.userAgent ?? options.fieldManager;
  const requests = createApiRequests(settings, limits, { userAgent, observe: options.onRequest });
  const discovery = createDiscovery((path, etag) => fetchDiscovery(requests, path, etag), settings.server);
  const context: Context = { requests, discovery, fieldManager: options.fieldManager };
  return {
    server: settings.server,
    get: (ref, read) => getObject(context, ref, read ?? {}),
    list: (apiVersion, kind, list) => listObjects(context, { apiVersion, kind }, list ?? {}),
    apply: (object, apply) => applyObject(context, object, apply ?? {}),
    async create(object, call) {
      const path = await collectionPath(context, object);
      const query = { fieldManager: context.fieldManager };
      return sendObject(context, { method: 'POST', path, query, object: describe(object), ...call }, object);
    },
    async replace(object, call) {
      const path = await objectPath(context, refOf(object), call?.subresource);
      const query = { fieldManager: context.fieldManager };
      return sendObject(
        context,
        { method: 'PUT', path, query, object: describe(object), ...signalOf(call) },
        object,
      );
    },
    async patch(ref, patch, call) {
      const path = await objectPath(context, ref);
      const body = patch.type === 'json' ? patch.operations : patch.body;
      const contentType = `application/${patch.type === 'json' ? 'json-patch' : 'merge-patch'}+json`;
      const query = { fieldManager: context.fieldManager };
      return sendObject(
        context,
        { method: 'PATCH', path, query, contentType, object: describeRef(ref), ...call },
        body,
      );
    },
    delete: (ref, remove) => deleteObject(context, ref, remove ?? {}),
    watch: (watch) => watchObjects({ requests, discovery }, watch),
    serverVersion: (call) => serverVersion(requests, call?.signal),
    invalidateDiscovery: () => discovery.invalidate(),
    async serves(apiVersion, kind) {
      try {
        await discovery.resource(apiVersion, kind);
        return true;
      } catch (error) {
        if (isOperatorError(error, 'KindUnavailable')) return false;
        throw error;
      }
    },
    async listableKinds() {
      const resources = await discovery.all();
      return resources.filter((resource) => resource.preferred && resource.verbs.includes('list'));
    },
    resetCircuit: () => requests.circuit.reset(),
    close: () => requests.close(),
  };
}

interface Context {
  readonly requests: ApiRequests;
  readonly discovery: Discovery;
  readonly fieldManager: string;
}

async function serverVersion(requests: ApiRequests, signal: AbortSignal | undefined): Promise<string> {
  const answer = await requests.send({ method: 'GET', path: '/version', object: 'the version', signal });
  return stringAt(answer.body, 'gitVersion') ?? '';
}

async function fetchDiscovery(
  requests: ApiRequests,
  path: string,
  etag: string | undefined,
): ReturnType<Parameters<typeof createDiscovery>[0]> {
  const answer = await requests.send({
    method: 'GET',
    path,
    accept: discoveryAccept,
    object: 'discovery',
    headers: etag === undefined ? {} : { 'if-none-match': etag },
  });
  if (answer.status === 304) return { type: 'unchanged' };
  const tag = answer.headers['etag'];
  return { type: 'changed', etag: typeof tag === 'string' ? tag : undefined, body: answer.body };
}

async function getObject(
  context: Context,
  ref: ObjectRef,
  options: { signal?: AbortSignal | undefined; metadataOnly?: boolean },
): Promise<ManifestObject | undefined> {
  const path = await objectPath(context, ref);
  const accept = options.metadataOnly === true ? metadataAccept : 'application/json';
  try {
    const request: ApiRequest = {
      method: 'GET',
      path,
      accept,
      object: describeRef(ref),
      signal: options.signal,
    };
    const answer = await context.requests.send(request);
    return withType(answer.body, ref);
  } catch (error) {
    if (isOperatorError(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function listObjects(
  context: Context,
  type: { apiVersion: string; kind: string },
  options: ListOptions,
): Promise<readonly ManifestObject[]> {
  const resource = await context.discovery.resource(type.apiVersion, type.kind);
  const items: ManifestObject[] = [];
  let token: string | undefined;
  do {
    const answer = await context.requests.send({
      method: 'GET',
      path: resourcePath(resource, options.namespace),
      query: {
        limit: pageSize,
        continue: token,
        labelSelector: options.labelSelector,
        fieldSelector: options.fieldSelector,
      },
      accept: options.metadataOnly === true ? metadataListAccept : 'application/json',
      object: `list of ${type.kind}`,
      signal: options.signal,
    });
    for (const item of listAt(answer.body, 'items')) items.push(withType(item, type));
    token = stringAt(answer.body, 'metadata', 'continue');
  } while (token !== undefined && token !== '');
  return items;
}

async function applyObject(
  context: Context,
  object: ManifestObject,
  options: ApplyOptions,
): Promise<{ object: ManifestObject; created: boolean }> {
  const answer = await context.requests.send({
    method: 'PATCH',
    path: await objectPath(context, refOf(object)),
    query: {
      fieldManager: context.fieldManager,
      force: options.force === true ? 'true' : undefined,
      dryRun: options.dryRun === true ? 'All' : undefined,
    },
    contentType: 'application/apply-patch+yaml',
    accept: options.metadataOnly === true ? metadataAccept : 'application/json',
    body: JSON.stringify(object),
    object: describe(object),
    signal: options.signal,
  });
  return { object: withType(answer.body, object), created: answer.status === 201 };
}

async function deleteObject(
  context: Context,
  ref: ObjectRef,
  options: DeleteOptions,
): Promise<'gone' | 'deleted' | 'deleting'> {
  const { uid, resourceVersion, propagation } = options;
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: propagation ?? 'Background',
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(options.dryRun === true ? { dryRun: ['All'] } : {}),
  };
  try {
    const answer = await context.requests.send({
      method: 'DELETE',
      path: await objectPath(context, ref),
      accept: metadataAccept,
      body: JSON.stringify(body),
      object: describeRef(ref),
      signal: options.signal,
    });
    return isStillThere(answer.body) ? 'deleting' : 'deleted';
  } catch (error) {
    if (isOperatorError(error, 'NotFound') || isOperatorError(error, 'KindUnavailable')) return 'gone';
    throw error;
  }
}

/** A delete answers with a Status when the object is gone, with the object while something still holds it. */
function isStillThere(body: unknown): boolean {
  return (
    stringAt(body, 'kind') !== 'Status' &&
    stringAt(body, 'metadata', 'deletionTimestamp') !== undefined &&
    listAt(body, 'metadata', 'finalizers').length > 0
  );
}

async function sendObject(
  context: Context,
  request: Omit<ApiRequest, 'body'>,
  body: unknown,
): Promise<ManifestObject> {
  const answer = await context.requests.send({ ...request, body: JSON.stringify(body) });
  return answer.body as ManifestObject;
}

async function objectPath(context: Context, ref: ObjectRef, subresource?: string): Promise<string> {
  const resource = await context.discovery.resource(ref.apiVersion, ref.kind);
  return resourcePath(resource, ref.namespace, ref.name, subresource);
}

async function collectionPath(context: Context, object: ManifestObject): Promise<string> {
  const resource = await context.discovery.resource(object.apiVersion, object.kind);
  return resourcePath(resource, object.metadata.namespace);
}

function refOf(object: ManifestObject): ObjectRef {
  const { name, namespace } = object.metadata;
  return { apiVersion: object.apiVersion, kind: object.kind, namespace, name: name ?? '' };
}

function describe(object: ManifestObject): string {
  return describeIdentity(identityOf(object));
}

function describeRef(ref: ObjectRef): string {
  return describeIdentity({ group: '', kind: ref.kind, namespace: ref.namespace ?? '', name: ref.name });
}

function signalOf(call: { signal?: AbortSignal | undefined } | undefined): {
  signal?: AbortSignal | undefined;
} {
  return call?.signal === undefined ? {} : { signal: call.signal };
}

/** List items and metadata-only answers carry no kind of their own, or a foreign one. */
function withType(body: unknown, type: { apiVersion: string; kind: string }): ManifestObject {
  return { ...(body as ManifestObject), apiVersion: type.apiVersion, kind: type.kind };
}
