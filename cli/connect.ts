import type { Client } from '@temporalio/client';

import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import type { KubeconfigSelection } from '../adapters/kubernetes/kubeconfig.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { messageOf } from '../domain/errors.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { CommandError } from './exit-codes.ts';
import { withProgress } from './output/progress.ts';
import type { Terminal } from './terminal.ts';

const connectTimeoutMs = 5_000;

/** A client for the hub; sends nothing yet. The modules are only loaded here, so that help is quick. */
export async function openHub({ kubeconfig, context }: KubeconfigSelection): Promise<ClusterClient> {
  const { createClusterClient } = await import('../adapters/kubernetes/http-cluster-client.ts');
  const { loadHubConnection } = await import('../adapters/kubernetes/hub-connection.ts');
  return createClusterClient(loadHubConnection(kubeconfig, context), {
    fieldManager: wireNames.fieldManager,
    userAgent: 'knative-fleet-cli',
  });
}

/** The environment of the Temporal settings; flags win. */
export function temporalEnvironment(
  options: ConnectionOptions,
  environment: Terminal['environment'],
): Record<string, string> {
  return definedOf({
    ...environment,
    ...definedOf({
      TEMPORAL_ADDRESS: options.temporalAddress,
      TEMPORAL_NAMESPACE: options.temporalNamespace,
      TEMPORAL_PROFILE: options.temporalProfile,
    }),
  });
}

/** Throws CommandError `unreachable` when Temporal does not answer within five seconds. */
export async function openTemporal(terminal: Terminal, environment: Record<string, string>): Promise<Client> {
  const { connectClient, temporalSettings } = await import('../adapters/temporal/connection.ts');
  const { address } = temporalSettings(environment);
  return withProgress(terminal, `connecting to Temporal at ${address}`, () =>
    connectClient(environment, { connectTimeout: connectTimeoutMs }),
  ).catch((error: unknown) => {
    throw new CommandError(
      'unreachable',
      `Temporal at ${address} cannot be reached: ${messageOf(error)}; check --temporal-address, TLS and API key of ` +
        'the profile, and that the server runs',
      error,
    );
  });
}

function definedOf(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
