import type { ApiResource } from './discovery.ts';

/** The path of a collection, or of one object in it. */
export function resourcePath(
  resource: ApiResource,
  namespace: string | undefined,
  name?: string,
  subresource?: string,
): string {
  const root = resource.apiVersion.includes('/')
    ? `/apis/${resource.apiVersion}`
    : `/api/${resource.apiVersion}`;
  const scope =
    resource.namespaced && namespace !== undefined && namespace !== ''
      ? `/namespaces/${encodeURIComponent(namespace)}`
      : '';
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  const part = subresource === undefined ? '' : `/${subresource}`;
  return `${root}${scope}/${resource.plural}${object}${part}`;
}
