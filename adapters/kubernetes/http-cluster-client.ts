import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { describeIdentity, identityOf, stringAt } from '../../domain/manifests/object.ts';
import type { ApiAnswer, ApiRequest, RequestObservation } from './api-request.ts';
import type { ApiRequests } from './api-requests.ts';
import { createApiRequests } from './api-requests.ts';
import type { CircuitObserver } from './circuit-breaker.ts';
import type {
  ApplyOptions,
  CallOptions,
  ClusterClient,
  DeleteOptions,
  JsonPatch,
  MergePatch,
  ObjectRef,
  ReadOptions,
} from './cluster-client.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { deleteBody } from './delete-body.ts';
import { createDiscovery } from './discovery.ts';
import type { Discovery } from './discovery.ts';
import { inPreferredVersions } from './discovery-documents.ts';
import type { ApiResource } from './discovery-documents.ts';
import { fetchDiscovery } from './fetch-discovery.ts';
import { listObjects } from './list-objects.ts';
import type { AnswerType } from './object-answer.ts';
import { objectAnswer } from './object-answer.ts';
import { creationPath, objectPath } from './resource-path.ts';
import { defaultLimits } from './transport.ts';
import { changesSince } from './changes.ts';
import { watchObjects } from './watch.ts';

export interface ClusterClientOptions {
  /** Owner of the fields that are written; at most 128 characters. */
  readonly fieldManager: string;
  /** Default: the field manager. */
  readonly userAgent?: string;
  /** Told about each request that was sent, retries included; streams are left out. */
  readonly onRequest?: (observation: RequestObservation) => void;
  readonly onCircuit?: CircuitObserver;
  readonly onClose?: () => void;
}

const metadataAccept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';

interface Context {
  readonly requests: ApiRequests;
  readonly discovery: Discovery;
  readonly fieldManager: string;
}

/** A ClusterClient over HTTP/2 (or 1.1) on undici. Throws RemoteClientCreationFailed for addresses that cannot be used. */
export function createClusterClient(
  settings: ConnectionSettings,
  options: ClusterClientOptions,
): ClusterClient {
  const limits = { ...defaultLimits, ...settings.limits };
  const userAgent = options.userAgent ?? options.fieldManager;
  const requests = createApiRequests(settings, limits, {
    userAgent,
    observe: options.onRequest,
    observeCircuit: options.onCircuit,
  });
  const discovery = createDiscovery((path, etag) => fetchDiscovery(requests, path, etag), settings.server);
  const context: Context = { requests, discovery, fieldManager: options.fieldManager };
  return {
    server: settings.server,
    get: (ref, read) => getObject(context, ref, read ?? {}),
    async list(apiVersion, kind, list) {
      const resource = await discovery.resource(apiVersion, kind, list?.signal);
      return (await listObjects(requests, resource, list ?? {})).items;
    },
    apply: (object, apply) => applyObject(context, object, apply ?? {}),
    create: (object, call) => createObject(context, object, call),
    replace: (object, call) => replaceObject(context, object, call ?? {}),
    patch: (ref, patch, call) => patchObject(context, { ref, patch }, call),
    delete: (ref, remove) => deleteObject(context, ref, remove ?? {}),
    changes: (look) => changesSince({ requests, discovery }, look),
    watch: (watch) => watchObjects({ requests, discovery }, watch),
    async serverVersion(call) {
      const request = { method: 'GET', path: '/version', object: 'the version', repeatable: true } as const;
      const answer = await requests.send({ ...request, signal: call?.signal });
      return stringAt(answer.body, 'gitVersion') ?? '';
    },
    invalidateDiscovery: () => discovery.invalidateGroups(),
    serves: (apiVersion, kind, call) => serves(discovery, { apiVersion, kind }, call),
    async listableKinds(call) {
      const { resources, unavailable } = await discovery.all(call?.signal);
      return [
        ...inPreferredVersions(resources).filter((resource) => resource.verbs.includes('list')),
        ...unavailable.map((apiVersion) => ({ apiVersion, kind: '*', namespaced: true })),
      ];
    },
    resetCircuit: () => requests.circuit.reset(),
    close() {
      options.onClose?.();
      return requests.close();
    },
  };
}

async function getObject(
  context: Context,
  ref: ObjectRef,
  options: ReadOptions,
): Promise<ManifestObject | undefined> {
  try {
    const answer = await send(context, ref, options.signal, (resource) => ({
      method: 'GET',
      path: objectPath(resource, ref),
      accept: acceptOf(options),
      object: describeRef(ref),
      repeatable: true,
    }));
    return objectAnswer(answer.body, ref, describeRef(ref));
  } catch (error) {
    if (isOperatorError(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function applyObject(
  context: Context,
  object: ManifestObject,
  options: ApplyOptions,
): Promise<{ object: ManifestObject; created: boolean }> {
  const ref = refOf(object);
  const answer = await send(context, object, options.signal, (resource) => ({
    method: 'PATCH',
    path: objectPath(resource, ref),
    query: {
      fieldManager: context.fieldManager,
      force: options.force === true ? 'true' : undefined,
      dryRun: options.dryRun === true ? 'All' : undefined,
    },
    contentType: 'application/apply-patch+yaml',
    accept: acceptOf(options),
    body: JSON.stringify(object),
    object: describeRef(ref),
    repeatable: true,
  }));
  return { object: objectAnswer(answer.body, object, describeRef(ref)), created: answer.status === 201 };
}

async function createObject(
  context: Context,
  object: ManifestObject,
  options: CallOptions | undefined,
): Promise<ManifestObject> {
  const { name, generateName, namespace } = object.metadata;
  const what = describeIdentity({ ...identityOf(object), name: name ?? `${generateName ?? ''}*` });
  const answer = await send(context, object, options?.signal, (resource) => ({
    method: 'POST',
    path: creationPath(resource, namespace, name ?? generateName),
    query: { fieldManager: context.fieldManager },
    body: JSON.stringify(object),
    object: what,
  }));
  return objectAnswer(answer.body, object, what);
}

async function replaceObject(
  context: Context,
  object: ManifestObject,
  options: CallOptions & { readonly subresource?: 'status' },
): Promise<ManifestObject> {
  const ref = refOf(object);
  const answer = await send(context, object, options.signal, (resource) => ({
    method: 'PUT',
    path: objectPath(resource, { ...ref, subresource: options.subresource }),
    query: { fieldManager: context.fieldManager },
    body: JSON.stringify(object),
    object: describeRef(ref),
  }));
  return objectAnswer(answer.body, object, describeRef(ref));
}

async function patchObject(
  context: Context,
  { ref, patch }: { readonly ref: ObjectRef; readonly patch: JsonPatch | MergePatch },
  options: CallOptions | undefined,
): Promise<ManifestObject> {
  const answer = await send(context, ref, options?.signal, (resource) => ({
    method: 'PATCH',
    path: objectPath(resource, ref),
    query: { fieldManager: context.fieldManager },
    contentType: `application/${patch.type === 'json' ? 'json-patch' : 'merge-patch'}+json`,
    body: JSON.stringify(patch.type === 'json' ? patch.operations : patch.body),
    object: describeRef(ref),
  }));
  return objectAnswer(answer.body, ref, describeRef(ref));
}

async function deleteObject(
  context: Context,
  ref: ObjectRef,
  options: DeleteOptions,
): Promise<'gone' | 'deleted' | 'deleting'> {
  try {
    const answer = await send(context, ref, options.signal, (resource) => ({
      method: 'DELETE',
      path: objectPath(resource, ref),
      accept: metadataAccept,
      body: JSON.stringify(deleteBody(options)),
      object: describeRef(ref),
    }));
    const isStatus = stringAt(answer.body, 'kind') === 'Status';
    return isStatus ? 'deleted' : outcomeOf(objectAnswer(answer.body, ref, describeRef(ref)));
  } catch (error) {
    if (isOperatorError(error, 'NotFound') || isOperatorError(error, 'KindUnavailable')) return 'gone';
    throw error;
  }
}

/** A delete answers with the object while something still holds it, and for some kinds with the one that went. */
function outcomeOf(object: ManifestObject): 'deleted' | 'deleting' {
  return object.metadata.deletionTimestamp === undefined ? 'deleted' : 'deleting';
}

async function serves(
  discovery: Discovery,
  type: AnswerType,
  options: CallOptions | undefined,
): Promise<boolean> {
  try {
    await discovery.resource(type.apiVersion, type.kind, options?.signal);
    return true;
  } catch (error) {
    if (isOperatorError(error, 'KindUnavailable')) return false;
    throw error;
  }
}

/**
 * Sends a request for an object of a kind. An answer that the path is unknown means that discovery is out of date or that
 * a proxy answered: KindUnavailable is only believed when discovery says so too.
 */
async function send(
  { requests, discovery }: Context,
  { apiVersion, kind }: AnswerType,
  signal: AbortSignal | undefined,
  requestFor: (resource: ApiResource) => Omit<ApiRequest, 'signal'>,
): Promise<ApiAnswer> {
  const resource = await discovery.resource(apiVersion, kind, signal);
  try {
    return await requests.send({ ...requestFor(resource), signal });
  } catch (error) {
    if (!isOperatorError(error, 'KindUnavailable')) throw error;
    discovery.invalidate();
    await discovery.resource(apiVersion, kind, signal);
    throw new OperatorError('ApiTransient', `${error.message}, although the server serves the kind`);
  }
}

function acceptOf(options: { readonly metadataOnly?: boolean }): string {
  return options.metadataOnly === true ? metadataAccept : 'application/json';
}

function refOf(object: ManifestObject): ObjectRef {
  const { name, namespace } = object.metadata;
  return { apiVersion: object.apiVersion, kind: object.kind, namespace, name: name ?? '' };
}

function describeRef(ref: ObjectRef): string {
  return describeIdentity({ group: '', kind: ref.kind, namespace: ref.namespace ?? '', name: ref.name });
}
