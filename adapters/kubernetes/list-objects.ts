import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ApiRequests } from './api-requests.ts';
import type { ListOptions } from './cluster-client.ts';
import type { ApiResource } from './discovery-documents.ts';
import { listAnswer } from './object-answer.ts';
import { collectionPath } from './resource-path.ts';

const metadataListAccept =
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
const pageSize = '500';
/** A list that is read too slowly expires in the middle and is read from its start again. */
const maxStarts = 3;

export interface ListedObjects {
  readonly items: readonly ManifestObject[];
  /** Where a watch goes on from here. */
  readonly resourceVersion: string | undefined;
}

/** Reads all pages of a list. */
export async function listObjects(
  requests: ApiRequests,
  resource: ApiResource,
  options: ListOptions,
): Promise<ListedObjects> {
  for (let start = 1; ; start++) {
    try {
      return await listPages(requests, resource, options);
    } catch (error) {
      if (!isOperatorError(error, 'Conflict')) throw error;
      if (start === maxStarts) throw new OperatorError('ApiTransient', error.message, { cause: error });
    }
  }
}

async function listPages(
  requests: ApiRequests,
  resource: ApiResource,
  options: ListOptions,
): Promise<ListedObjects> {
  const items: ManifestObject[] = [];
  const object = `list of ${resource.kind}`;
  let token: string | undefined;
  for (;;) {
    const answer = await requests.send({
      method: 'GET',
      path: collectionPath(resource, options.namespace),
      query: {
        limit: pageSize,
        continue: token,
        labelSelector: options.labelSelector,
        fieldSelector: options.fieldSelector,
      },
      accept: options.metadataOnly === true ? metadataListAccept : 'application/json',
      object,
      signal: options.signal,
      repeatable: true,
    });
    const page = listAnswer(answer.body, resource, `${object} on ${requests.server}`);
    items.push(...page.items);
    token = page.next;
    if (token === undefined) return { items, resourceVersion: page.resourceVersion };
  }
}
