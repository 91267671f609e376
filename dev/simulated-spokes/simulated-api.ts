import type { IncomingHttpHeaders } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';

import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord } from '../../domain/manifests/object.ts';
import { isIn } from './object-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { DiscoveryDocuments } from './simulated-discovery.ts';
import { kindAt, withCrds } from './simulated-discovery.ts';

export interface SimulatedCluster {
  readonly store: ObjectStore;
  readonly discovery: DiscoveryDocuments;
}

export interface SimulatedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What an install asks of an API server: discovery, apply, create, replace, get, list, delete and watch; no other patch. */
export function answerRequest(
  cluster: SimulatedCluster,
  request: SimulatedRequest,
  response: Http2ServerResponse,
): void {
  if (request.query.has('watch')) {
    watch(cluster, request, response);
    return;
  }
  const { status, body } = answerOf(cluster, request);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function answerOf(cluster: SimulatedCluster, request: SimulatedRequest): Answer {
  switch (request.path) {
    case '/version':
      return { status: 200, body: { gitVersion: 'v1.35.4' } };
    case '/api':
      return { status: 200, body: cluster.discovery.core };
    case '/apis':
      return { status: 200, body: groupsOf(cluster) };
    default:
      return answerObject(cluster, request);
  }
}

function groupsOf({ discovery, store }: SimulatedCluster): unknown {
  return withCrds(discovery, store.list('/apis/apiextensions.k8s.io/v1/customresourcedefinitions'));
}

function answerObject(cluster: SimulatedCluster, request: SimulatedRequest): Answer {
  const { store } = cluster;
  const { method, path, body } = request;
  if (method === 'GET')
    return isCollection(path) ? listAnswer(cluster, request) : found(store.get(path), request);
  if (method === 'DELETE') return found(store.remove(path), request);
  const write = writes[method];
  if (write === undefined || (method === 'PATCH' && !isApply(request))) return refusal(405);
  return isObject(body) ? write(cluster, request, body) : refusal(400);
}

type Write = (cluster: SimulatedCluster, request: SimulatedRequest, body: ManifestObject) => Answer;

const writes: Readonly<Record<string, Write>> = { PATCH: written, POST: created, PUT: replaced };

function created(cluster: SimulatedCluster, request: SimulatedRequest, body: ManifestObject): Answer {
  const path = `${request.path}/${body.metadata.name ?? ''}`;
  if (cluster.store.get(path) !== undefined) return refusal(409);
  return written(cluster, { ...request, path }, body);
}

function replaced(cluster: SimulatedCluster, request: SimulatedRequest, body: ManifestObject): Answer {
  const known = cluster.store.get(request.path);
  if (known === undefined) return refusal(404);
  const { resourceVersion } = body.metadata;
  const isStale = resourceVersion !== undefined && resourceVersion !== known.metadata.resourceVersion;
  return isStale ? refusal(409) : written(cluster, request, body);
}

function written({ store }: SimulatedCluster, request: SimulatedRequest, body: ManifestObject): Answer {
  const manager = request.query.get('fieldManager') ?? '';
  const { object, created: isNew } = store.apply(request.path, body, manager);
  return { status: isNew ? 201 : 200, body: shaped(object, request) };
}

function found(object: ManifestObject | undefined, request: SimulatedRequest): Answer {
  return object === undefined ? refusal(404) : { status: 200, body: shaped(object, request) };
}

function listAnswer(cluster: SimulatedCluster, request: SimulatedRequest): Answer {
  const { store } = cluster;
  const kind = kindAt(request.path, cluster.discovery.core, groupsOf(cluster));
  const items = store.list(request.path).filter((object) => isSelected(object, request));
  const metadata = { resourceVersion: store.resourceVersion };
  return {
    status: 200,
    body: { kind: `${kind}List`, metadata, items: items.map((item) => shaped(item, request)) },
  };
}

function watch({ store }: SimulatedCluster, request: SimulatedRequest, response: Http2ServerResponse): void {
  const send = (type: string, object: unknown): void =>
    void response.write(`${JSON.stringify({ type, object })}\n`);
  response.writeHead(200, { 'content-type': 'application/json' });
  const stop = store.onChange(({ type, path, object }) => {
    if (isIn(path, request.path) && isSelected(object, request)) send(type, shaped(object, request));
  });
  response.on('close', stop);
  if (request.query.get('sendInitialEvents') !== 'true') return;
  for (const object of store.list(request.path)) {
    if (isSelected(object, request)) send('ADDED', shaped(object, request));
  }
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  send('BOOKMARK', { metadata: { resourceVersion: store.resourceVersion, annotations } });
}

/** An even number of segments after the version names a collection, but for Namespaces themselves. */
function isCollection(path: string): boolean {
  const below = path.split('/').slice(path.startsWith('/api/') ? 3 : 4);
  const inNamespace = below[0] === 'namespaces' && below.length > 2;
  return (inNamespace ? below.length - 2 : below.length) === 1;
}

function isSelected({ metadata }: ManifestObject, { query }: SimulatedRequest): boolean {
  const terms = (query.get('labelSelector') ?? '').split(',').filter(Boolean);
  return terms.every((term) => {
    const [label = '', value] = term.split(/==?/);
    const actual = metadata.labels?.[label];
    return value === undefined ? actual !== undefined : actual === value;
  });
}

function shaped(object: ManifestObject, { headers }: SimulatedRequest): unknown {
  const isMetadataOnly = (headers.accept ?? '').includes('as=PartialObjectMetadata');
  if (!isMetadataOnly) return object;
  return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: object.metadata };
}

function isApply({ headers }: SimulatedRequest): boolean {
  return headers['content-type'] === 'application/apply-patch+yaml';
}

function isObject(body: unknown): body is ManifestObject {
  return isRecord(body) && isRecord(body['metadata']);
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
};

function refusal(status: number): Answer {
  const reason = reasons[status] ?? 'Unknown';
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, reason, message: reason };
  return { status, body };
}
