import { clusterProfileApi, parseClusterProfile } from '../../domain/api/cluster-profile.ts';
import type { ClusterProfile } from '../../domain/api/cluster-profile.ts';
import { isOperatorError, messageOf, OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ClusterProfileRef } from '../access/target-access.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';

/** Versions of the API that are understood, in the order of preference; a hub may serve any of them. */
const understood = ['v1alpha1', 'v1alpha2', 'v1beta1'];

/** ClusterProfiles on the hub. */
export interface ClusterProfiles {
  /** Rejects with ClusterProfileNotFound (object or CRD missing) or ClusterProfileUnavailable. */
  read(ref: ClusterProfileRef, signal?: AbortSignal): Promise<ClusterProfile>;
  /** All of the hub as they are, in the first understood version that it serves. */
  list(signal?: AbortSignal): Promise<readonly ManifestObject[]>;
}

export function createClusterProfiles(hub: ClusterClient): ClusterProfiles {
  return {
    async read(ref, signal) {
      const name = `${ref.namespace}/${ref.name}`;
      const get = (apiVersion: string) =>
        hub.get({ apiVersion, kind: clusterProfileApi.kind, ...ref }, { signal });
      const object = await inServedVersion(get).catch((error: unknown) => {
        throw new OperatorError(
          isOperatorError(error, 'KindUnavailable') ? 'ClusterProfileNotFound' : 'ClusterProfileUnavailable',
          `failed to get ClusterProfile ${name}: ${messageOf(error)}`,
          { cause: error },
        );
      });
      if (object !== undefined) return parseClusterProfile(object);
      throw new OperatorError(
        'ClusterProfileNotFound',
        `failed to get ClusterProfile ${name}: ${clusterProfileApi.plural}.${clusterProfileApi.group} "${ref.name}" not found`,
      );
    },
    list: (signal) =>
      inServedVersion((apiVersion) => hub.list(apiVersion, clusterProfileApi.kind, { signal })),
  };
}

async function inServedVersion<T>(ask: (apiVersion: string) => Promise<T>): Promise<T> {
  let missing: unknown;
  for (const version of understood) {
    try {
      return await ask(`${clusterProfileApi.group}/${version}`);
    } catch (error) {
      if (!isOperatorError(error, 'KindUnavailable')) throw error;
      missing ??= error;
    }
  }
  throw missing;
}
