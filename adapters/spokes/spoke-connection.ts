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
  /** Works before the cluster said who it is. */
  readonly client: ClusterClient;
  /** Asks the cluster who it is, unless it said so in the last 3 s and no call failed since; callers at the same time share one question. */
  identify(): Promise<TargetAccess>;
  /** The next call tries at once, whatever failed before. */
  resetCircuit(): void;
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

/** The activities of one pass follow each other within moments; each would pay a round trip to hear the same UID. */
const identityMaxAgeMs = 3_000;

/** Throws RemoteClientCreationFailed when the access data cannot make a client; sends nothing yet. */
export function createSpokeConnection(options: SpokeConnectionOptions): SpokeConnection {
  const { ref, access } = options;
  let known: { access: TargetAccess; at: number } | undefined;
  const retirable = createRetirableClient(options.createClient(settingsOf(options)), {
    staleMessage:
      `cluster connection is stale: ${ref.namespace}/${ref.name}; its access data changed or it was not used for long, ` +
      'the next try connects anew',
    explain(error) {
      known = undefined;
      return explainSpokeFailure(ref, error);
    },
  });
  const { client } = retirable;
  const version = createVersionCache(client);
  let asking: Promise<TargetAccess> | undefined;

  const ask = async (): Promise<TargetAccess> => {
    try {
      const answers = Promise.all([identityOf(client), version()]);
      answers.catch(() => undefined);
      // What is no API server is best told by its discovery, which every later call needs anyway.
      await client.serves('v1', 'ConfigMap');
      const [clusterUID, kubernetesVersion] = await answers;
      const { server, provider } = access;
      known = {
        access: { client, clusterUID, server, kubernetesVersion, provider },
        at: performance.now(),
      };
      return known.access;
    } catch (error) {
      throw explainConnectFailure(ref, error);
    }
  };

  return {
    client,
    identify() {
      if (known !== undefined && performance.now() - known.at < identityMaxAgeMs) {
        return Promise.resolve(known.access);
      }
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    resetCircuit: () => client.resetCircuit(),
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
