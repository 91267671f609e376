import { clusterProfileApi, parseClusterProfile } from '../../domain/api/cluster-profile.ts';
import type { ClusterProfile } from '../../domain/api/cluster-profile.ts';
import { isOperatorError, messageOf, OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ClusterProfileRef } from '../access/target-access.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';

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
  for (const version of clusterProfileApi.versions) {
    try {
      return await ask(`${clusterProfileApi.group}/${version}`);
    } catch (error) {
      if (!isOperatorError(error, 'KindUnavailable')) throw error;
      missing ??= error;
    }
  }
  throw missing;
}

/** The version in which the hub serves ClusterProfiles now; undefined when it has no such kind. */
export async function servedProfileVersion(
  hub: ClusterClient,
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (const version of clusterProfileApi.versions) {
    const apiVersion = `${clusterProfileApi.group}/${version}`;
    if (await hub.serves(apiVersion, clusterProfileApi.kind, { signal })) return apiVersion;
  }
  return undefined;
}
