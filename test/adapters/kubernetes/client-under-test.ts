import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import type {
  ConnectionLimits,
  ConnectionSettings,
} from '../../../adapters/kubernetes/connection-settings.ts';
import type { ClusterClientOptions } from '../../../adapters/kubernetes/http-cluster-client.ts';
import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';

/** Long enough for a busy machine, short enough for a test that waits for it. */
export const shortLimits: Partial<ConnectionLimits> = { connectTimeoutMs: 400, headersTimeoutMs: 400 };

/** A client with a fixed token. */
export function clientOf(
  settings: Partial<ConnectionSettings> & { readonly server: string },
  options: Partial<ClusterClientOptions> = {},
): ClusterClient {
  const credential = () => Promise.resolve({ token: 'secret-token' });
  return createClusterClient({ credential, ...settings }, { fieldManager: 'test', ...options });
}

export const oneRef = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'one' };
export const onePath = '/api/v1/namespaces/default/configmaps/one';
export const listPath = '/api/v1/configmaps';
