import type { DeleteOptions } from './cluster-client.ts';

/** What a DELETE carries; in the background unless told otherwise. */
export function deleteBody({ uid, resourceVersion, propagation, dryRun }: DeleteOptions): object {
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: propagation ?? 'Background',
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
  };
}
