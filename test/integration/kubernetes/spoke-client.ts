import { randomUUID } from 'node:crypto';

import { inject } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import type { ConnectionSettings } from '../../../adapters/kubernetes/connection-settings.ts';
import type { ClusterClientOptions } from '../../../adapters/kubernetes/http-cluster-client.ts';
import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import type { ProvidedCluster } from '../../support/global-setup.ts';

/** The spoke that these tests share with others. */
export function spoke(): ProvidedCluster {
  const [first] = inject('fleet').spokes;
  if (first === undefined) throw new Error('the fleet has no spoke');
  return first;
}

export function spokeClient(
  options: Partial<ClusterClientOptions> = {},
  settings: Partial<ConnectionSettings> = {},
): ClusterClient {
  const { server, token, caPem } = spoke();
  return createClusterClient(
    { server, certificateAuthority: caPem, credential: () => Promise.resolve({ token }), ...settings },
    { fieldManager: 'knative-fleet', ...options },
  );
}

/** A namespace of the test's own; left behind, because its deletion takes seconds. */
export async function ownNamespace(client: ClusterClient): Promise<string> {
  const name = uniqueName('client');
  await client.apply(object('v1', 'Namespace', { name }));
  return name;
}

export function uniqueName(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`;
}

export function object(
  apiVersion: string,
  kind: string,
  metadata: ManifestObject['metadata'],
  rest: object = {},
): ManifestObject {
  return { apiVersion, kind, metadata, ...rest };
}

export function workload(
  name: string,
  namespace: string,
  container: object = {},
  spec: object = {},
): ManifestObject {
  const labels = { app: name };
  return object(
    'apps/v1',
    'Deployment',
    { name, namespace },
    {
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'main', image: 'example.com/none', ...container }] },
        },
        ...spec,
      },
    },
  );
}
