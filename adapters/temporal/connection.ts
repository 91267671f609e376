import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

import { messageOf } from '../../domain/errors.ts';

/** Namespace when neither the environment nor a profile names one. */
const defaultNamespace = 'knative-fleet';
const defaultAddress = 'localhost:7233';

/** How to reach Temporal: the same environment and file that the `temporal` command reads. */
export interface TemporalSettings {
  readonly address: string;
  readonly namespace: string;
}

/** The environment is that of this process unless another one is given, for flags that win over it. */
export function temporalSettings(environment?: Readonly<Record<string, string>>): TemporalSettings {
  const { connectionOptions, namespace } = loadTemporalConfig(environment);
  return {
    address: connectionOptions.address ?? defaultAddress,
    namespace: namespace ?? defaultNamespace,
  };
}

/** For everything that starts and signals workflows. The caller closes the connection. */
export async function connectClient(
  environment?: Readonly<Record<string, string>>,
  options: { readonly connectTimeout?: number } = {},
): Promise<Client> {
  const { connectionOptions, namespace } = loadTemporalConfig(environment);
  const connection = await Connection.connect({ ...connectionOptions, ...options });
  return new Client({ connection, namespace: namespace ?? defaultNamespace });
}

/** Throws Error that says which settings are meant when they cannot be used. */
export function loadTemporalConfig(environment?: Readonly<Record<string, string>>) {
  try {
    return loadClientConnectConfig(environment === undefined ? {} : { overrideEnvVars: { ...environment } });
  } catch (error) {
    throw new Error(
      `the Temporal settings cannot be used: ${messageOf(error)}; correct TEMPORAL_PROFILE, TEMPORAL_ADDRESS and the ` +
        'other TEMPORAL_ variables, or the file that TEMPORAL_CONFIG_FILE names',
      { cause: error },
    );
  }
}
