import { isOperatorError } from '../../domain/errors.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { createCredentialCache } from '../access/credential-cache.ts';
import { runExecPlugin } from '../access/exec-plugin.ts';
import { createProviderFile } from '../access/provider-file.ts';
import type { ClusterProfileRef, SpokeAccess } from '../access/target-access.ts';
import { createClusterProfiles } from '../hub/cluster-profiles.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';
import { createClusterClient } from '../kubernetes/http-cluster-client.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ClusterObserver } from '../telemetry/metrics/cluster-metrics.ts';
import type { CredentialObserver } from '../telemetry/metrics/credential-metrics.ts';
import { createSpokePool } from './spoke-pool.ts';

export interface SpokeSettings {
  readonly hub: ClusterClient;
  /** Absent: access to spokes is off. */
  readonly providerFile: string | undefined;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly observe?: {
    readonly clusters: ClusterObserver;
    readonly credentials: CredentialObserver;
  };
  /** Where the few variables come from that plugins inherit; default the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Builds the access to spokes. Rejects with every problem of a provider file that is there but invalid; later changes,
 * the appearance of the file among them, are taken or refused without a restart. The caller closes it.
 */
export async function openSpokes(settings: SpokeSettings): Promise<SpokeAccess> {
  const { hub, providerFile: path, log, observe, environment = process.env } = settings;
  const providerFile = createProviderFile({
    path,
    onReload: () => log.info({ file: path }, 'the provider file changed and is in force'),
    onProblem: (message) => log.warn({ file: path }, message),
  });
  await providerFile.current().catch((error: unknown) => {
    if (!isOperatorError(error, 'MulticlusterDisabled')) throw error;
  });
  const profiles = createClusterProfiles(hub);
  return createSpokePool({
    readProfile: (ref, signal) => profiles.read(ref, signal),
    providerFile,
    credentials: createCredentialCache({
      run: (call, signal) => runExecPlugin(call, { signal, environment }),
      observe: (run) => observe?.credentials.ran(run),
    }),
    createClient: (connection, ref) =>
      createClusterClient(connection, {
        fieldManager: wireNames.fieldManager,
        ...observe?.clusters.connection(nameOf(ref)),
      }),
    onGone(ref) {
      observe?.clusters.forget(nameOf(ref));
      observe?.credentials.forget(nameOf(ref));
    },
    log,
  });
}

function nameOf({ namespace, name }: ClusterProfileRef): string {
  return `${namespace}/${name}`;
}
