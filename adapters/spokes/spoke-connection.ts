import { OperatorError } from '../../domain/errors.ts';
import type { CredentialSource } from '../access/credential-source.ts';
import type { ProfileAccess } from '../access/profile-access.ts';
import type { ClusterProfileRef, TargetAccess } from '../access/target-access.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';
import { readClusterUID } from '../kubernetes/cluster-uid.ts';
import type { ConnectionSettings } from '../kubernetes/connection-settings.ts';
import { createRetirableClient } from './retirable-client.ts';
import { explainConnectFailure, explainSpokeFailure } from './spoke-failure.ts';

/** The connection to one spoke as one version of its access data describes it. */
export interface SpokeConnection {
  /** Asks the cluster who it is; callers at the same time share one question. */
  identify(): Promise<TargetAccess>;
  retire(): Promise<void>;
  idleMs(): number;
}

export interface SpokeConnectionOptions {
  readonly ref: ClusterProfileRef;
  readonly access: ProfileAccess;
  readonly source: CredentialSource;
  readonly createClient: (settings: ConnectionSettings) => ClusterClient;
}

/** A cluster may be upgraded while it is connected. */
const versionMaxAgeMs = 5 * 60_000;

/** Throws RemoteClientCreationFailed when the access data cannot make a client; sends nothing yet. */
export function createSpokeConnection(options: SpokeConnectionOptions): SpokeConnection {
  const { ref, access } = options;
  const retirable = createRetirableClient(options.createClient(settingsOf(options)), {
    staleMessage:
      `cluster connection is stale: ${ref.namespace}/${ref.name}; its access data changed or it was not used for long, ` +
      'the next try connects anew',
    explain: (error) => explainSpokeFailure(ref, error),
  });
  const { client } = retirable;
  const version = createVersionCache(client);
  let asking: Promise<TargetAccess> | undefined;

  const ask = async (): Promise<TargetAccess> => {
    try {
      const [clusterUID, kubernetesVersion] = await Promise.all([identityOf(client), version()]);
      return { client, clusterUID, server: access.server, kubernetesVersion, provider: access.provider };
    } catch (error) {
      throw explainConnectFailure(ref, error);
    }
  };

  return {
    identify() {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    retire: () => retirable.retire(),
    idleMs: () => retirable.idleMs(),
  };
}

function settingsOf({ access, source }: SpokeConnectionOptions): ConnectionSettings {
  return {
    server: access.server,
    certificateAuthority: access.certificateAuthority,
    tlsServerName: access.tlsServerName,
    proxyUrl: access.proxyUrl,
    credential: () => source.credential(),
    renewCredential: (refused) => source.renew(refused),
    credentialAccepted: (credential) => source.accepted(credential),
  };
}

async function identityOf(client: ClusterClient): Promise<string> {
  const uid = await readClusterUID(client);
  if (uid !== undefined) return uid;
  throw new OperatorError(
    'RemoteClientCreationFailed',
    `${client.server} has no namespace kube-system, whose UID is the identity of a cluster`,
  );
}

function createVersionCache(client: ClusterClient): () => Promise<string> {
  let known: { version: string; readAt: number } | undefined;
  return async () => {
    if (known === undefined || performance.now() - known.readAt > versionMaxAgeMs) {
      known = { version: await client.serverVersion(), readAt: performance.now() };
    }
    return known.version;
  };
}
