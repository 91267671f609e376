import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { ApiRequests } from './api-requests.ts';
import type { DiscoveryAnswer } from './discovery.ts';

const aggregatedAccept =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/**
 * Asks for one discovery document, aggregated where the server can. A 404 rejects with RemoteClientCreationFailed: every
 * API server has discovery, so nothing may be concluded about any kind.
 */
export async function fetchDiscovery(
  requests: ApiRequests,
  path: string,
  etag: string | undefined,
): Promise<DiscoveryAnswer> {
  try {
    const answer = await requests.send({
      method: 'GET',
      path,
      accept: aggregatedAccept,
      object: 'discovery',
      headers: etag === undefined ? {} : { 'if-none-match': etag },
      repeatable: true,
    });
    if (answer.status === 304) return { type: 'unchanged' };
    const tag = answer.headers['etag'];
    return { type: 'changed', etag: typeof tag === 'string' ? tag : undefined, body: answer.body };
  } catch (error) {
    if (!isOperatorError(error, 'NotFound') && !isOperatorError(error, 'KindUnavailable')) throw error;
    throw new OperatorError(
      'RemoteClientCreationFailed',
      `${requests.server} answers 404 to discovery, so it is not the address of a Kubernetes API server; correct it`,
      { cause: error },
    );
  }
}
