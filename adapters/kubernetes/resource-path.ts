import { OperatorError } from '../../domain/errors.ts';
import type { ApiResource } from './discovery-documents.ts';

/** The path of a collection; without a namespace that of all namespaces. */
export function collectionPath(resource: ApiResource, namespace: string | undefined): string {
  const root = resource.apiVersion.includes('/')
    ? `/apis/${resource.apiVersion}`
    : `/api/${resource.apiVersion}`;
  const scope =
    resource.namespaced && namespace !== undefined && namespace !== ''
      ? `/namespaces/${segment(resource, namespace)}`
      : '';
  return `${root}${scope}/${resource.plural}`;
}

export interface ObjectLocation {
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly subresource?: string | undefined;
}

/**
 * The path of one object. Throws ApplyRejected without a name or a needed namespace: such a path would mean the whole
 * collection, and a DELETE would empty it.
 */
export function objectPath(resource: ApiResource, location: ObjectLocation): string {
  const { name, namespace, subresource } = location;
  requireNamespace(resource, namespace, name);
  const object = `${collectionPath(resource, namespace)}/${segment(resource, name)}`;
  return subresource === undefined ? object : `${object}/${subresource}`;
}

/** Where a new object is posted to. Throws ApplyRejected without a needed namespace. */
export function creationPath(
  resource: ApiResource,
  namespace: string | undefined,
  name: string | undefined,
): string {
  requireNamespace(resource, namespace, name ?? '');
  return collectionPath(resource, namespace);
}

function requireNamespace(resource: ApiResource, namespace: string | undefined, name: string): void {
  if (!resource.namespaced || (namespace !== undefined && namespace !== '')) return;
  throw new OperatorError(
    'ApplyRejected',
    `${resource.kind} ${name}: objects of this kind live in a namespace and this one names none; add metadata.namespace`,
  );
}

function segment(resource: ApiResource, name: string): string {
  if (name !== '' && name !== '.' && name !== '..') return encodeURIComponent(name);
  throw new OperatorError('ApplyRejected', `${resource.kind}: "${name}" is not a name; set metadata.name`);
}
