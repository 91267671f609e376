import { isOperatorError } from '../../domain/errors.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';
import { readClusterUID } from '../kubernetes/cluster-uid.ts';
import { createReachability } from './reachability.ts';
import type { Reachability } from './reachability.ts';

/** What worker and starter cannot work without. */
export interface Dependencies {
  readonly temporal: Reachability;
  readonly hub: Reachability;
}

/** The part of a connection to Temporal, of either SDK package, that is asked. */
export interface NamespaceService {
  describeNamespace(request: { namespace: string }): Promise<unknown>;
}

export interface DependenciesOptions {
  readonly hub: ClusterClient;
  /** Undefined while there is no connection yet. */
  readonly temporal: () => NamespaceService | undefined;
  readonly namespace: string;
}

export function createDependencies({ hub, temporal, namespace }: DependenciesOptions): Dependencies {
  return {
    hub: createReachability({
      name: 'the hub',
      async check(signal) {
        await readClusterUID(hub, { signal }).catch((error: unknown) => {
          // It knows who asks; that is all that is asked here.
          if (!isOperatorError(error, 'SpokeForbidden')) throw error;
        });
      },
    }),
    temporal: createReachability({
      name: 'Temporal',
      async check() {
        const service = temporal();
        if (service === undefined) throw new Error('there is no connection yet');
        await service.describeNamespace({ namespace });
      },
    }),
  };
}
