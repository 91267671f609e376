import { createCredentialCache } from '../adapters/access/credential-cache.ts';
import { runExecPlugin } from '../adapters/access/exec-plugin.ts';
import { createProviderFile } from '../adapters/access/provider-file.ts';
import type { SpokeAccess } from '../adapters/access/target-access.ts';
import { createClusterProfiles } from '../adapters/hub/cluster-profiles.ts';
import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import { createClusterClient } from '../adapters/kubernetes/http-cluster-client.ts';
import { createSpokePool } from '../adapters/spokes/spoke-pool.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { isOperatorError } from '../domain/errors.ts';
import type { WorkerConfig } from './config.ts';

/**
 * Builds the access to spokes. A provider file that is configured but invalid stops the process with every problem, as
 * it always has; later changes are taken or refused without a restart.
 */
export async function composeSpokes(
  config: WorkerConfig,
  parts: { readonly hub: ClusterClient; readonly log: Logger },
): Promise<SpokeAccess> {
  const { hub, log } = parts;
  const providerFile = createProviderFile({
    path: config.providerFile,
    onReload: () => log.info({ file: config.providerFile }, 'the provider file changed and is in force'),
    onProblem: (message) => log.warn({ file: config.providerFile }, message),
  });
  await providerFile.current().catch((error: unknown) => {
    if (!isOperatorError(error, 'MulticlusterDisabled')) throw error;
  });
  const profiles = createClusterProfiles(hub);
  return createSpokePool({
    readProfile: (ref, signal) => profiles.read(ref, signal),
    providerFile,
    credentials: createCredentialCache({ run: (call, signal) => runExecPlugin(call, { signal }) }),
    createClient: (settings) => createClusterClient(settings, { fieldManager: wireNames.fieldManager }),
    log,
  });
}
