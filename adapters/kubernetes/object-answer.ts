import { OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord, stringAt } from '../../domain/manifests/object.ts';

/** The type that was asked for: list items carry no kind, metadata-only answers a foreign one. */
export interface AnswerType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Reads one object. Throws ApiTransient for anything else, so that a proxy's answer is never taken for an object. */
export function objectAnswer(body: unknown, type: AnswerType, what: string): ManifestObject {
  if (!isObject(body)) throw notAnObject(what);
  return { ...body, apiVersion: type.apiVersion, kind: type.kind };
}

export interface ListPage {
  readonly items: readonly ManifestObject[];
  readonly resourceVersion: string | undefined;
  /** Token of the next page. */
  readonly next: string | undefined;
}

/** Reads one page of a list. Throws ApiTransient for anything else, so that `{}` never means that nothing exists. */
export function listAnswer(body: unknown, type: AnswerType, what: string): ListPage {
  const items = isRecord(body) ? body['items'] : undefined;
  if (!isRecord(body) || !(stringAt(body, 'kind') ?? '').endsWith('List')) throw notAnObject(what);
  if (!Array.isArray(items) && items !== null) throw notAnObject(what);
  const next = stringAt(body, 'metadata', 'continue');
  return {
    items: (items ?? []).map((item: unknown) => objectAnswer(item, type, what)),
    resourceVersion: stringAt(body, 'metadata', 'resourceVersion'),
    next: next === '' ? undefined : next,
  };
}

function isObject(body: unknown): body is ManifestObject {
  return isRecord(body) && isRecord(body['metadata']);
}

function notAnObject(what: string): OperatorError {
  return new OperatorError(
    'ApiTransient',
    `${what}: the answer is no Kubernetes object; a proxy in between may answer in place of the API server`,
  );
}
