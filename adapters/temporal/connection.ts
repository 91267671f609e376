import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import { Client, Connection } from '@temporalio/client';

/** Namespace when neither the environment nor a profile names one. */
const defaultNamespace = 'knative-fleet';

/** How to reach Temporal: the same environment and file that the `temporal` command reads. */
export interface TemporalSettings {
  readonly address: string;
  readonly namespace: string;
}

export function temporalSettings(): TemporalSettings {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return {
    address: connectionOptions.address ?? 'localhost:7233',
    namespace: namespace ?? defaultNamespace,
  };
}

/** For workers; rejects at once when nothing listens. The caller closes it. */
export async function connectWorker(): Promise<NativeConnection> {
  const { connectionOptions } = loadClientConnectConfig();
  return NativeConnection.connect(connectionOptions);
}

/** For everything that starts and signals workflows. The caller closes the connection. */
export async function connectClient(): Promise<Client> {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  const connection = await Connection.connect(connectionOptions);
  return new Client({ connection, namespace: namespace ?? defaultNamespace });
}
