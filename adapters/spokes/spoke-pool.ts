import type { ClusterProfile } from '../../domain/api/cluster-profile.ts';
import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { CredentialCache } from '../access/credential-cache.ts';
import type { AccessConfig } from '../access/access-config.ts';
import { accessHash, requireHealthy, resolveProfileAccess } from '../access/profile-access.ts';
import type { ProfileAccess } from '../access/profile-access.ts';
import type { ProviderFile } from '../access/provider-file.ts';
import type {
  ClusterProfileRef,
  ConnectOptions,
  SpokeAccess,
  TargetAccess,
} from '../access/target-access.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';
import type { ConnectionSettings } from '../kubernetes/connection-settings.ts';
import { untilAborted } from '../kubernetes/until-aborted.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createSpokeConnection } from './spoke-connection.ts';
import type { SpokeConnection } from './spoke-connection.ts';
import { explainConnectFailure } from './spoke-failure.ts';

export interface SpokePoolOptions {
  /** Reads a profile from the hub; rejects with ClusterProfileNotFound or ClusterProfileUnavailable. */
  readonly readProfile: (ref: ClusterProfileRef, signal?: AbortSignal) => Promise<ClusterProfile>;
  readonly providerFile: ProviderFile;
  readonly credentials: CredentialCache;
  readonly createClient: (settings: ConnectionSettings, profile: ClusterProfileRef) => ClusterClient;
  /** Told when a profile no longer exists. */
  readonly onGone?: (profile: ClusterProfileRef) => void;
  readonly log?: Pick<Logger, 'info' | 'warn'>;
  /** A connection without a call for this long is closed; default 10 minutes. */
  readonly idleMs?: number;
}

interface Entry {
  readonly access: ProfileAccess;
  readonly connection: SpokeConnection;
  /** Of everything in the profile that decides about its use. */
  accessHash: string;
  /** The newest version of the profile that led here. */
  profile: ClusterProfile['metadata'];
}

type Pool = SpokePoolOptions & { readonly entries: Map<string, Entry> };

const defaultIdleMs = 10 * 60_000;

/**
 * Connections to spokes, one for each profile in use. The profile is read at every `connect`, so a change of its health,
 * address, certificates, proxy or extensions, and of the provider file, holds from the next call on. The former client
 * finishes what it has under way and rejects what comes later with RemoteClusterStale.
 */
export function createSpokePool(options: SpokePoolOptions): SpokeAccess {
  const pool: Pool = { ...options, entries: new Map() };
  const idleMs = options.idleMs ?? defaultIdleMs;
  let closed = false;
  const sweeper = setInterval(() => closeIdle(pool, idleMs), Math.min(idleMs, 60_000));
  sweeper.unref();

  const open = async (
    ref: ClusterProfileRef,
    { signal, meanwhile }: ConnectOptions,
  ): Promise<TargetAccess> => {
    const connection = await currentConnection(pool, ref, signal);
    if (!closed) {
      meanwhile?.(connection.client);
      return untilAborted(connection.identify(), signal);
    }
    evict(pool, ref, undefined);
    throw poolClosed();
  };

  return {
    async connect(ref, connecting = {}) {
      if (closed) throw poolClosed();
      try {
        return await open(ref, connecting);
      } catch (error) {
        // The profile changed between the two steps: what was resolved is already replaced.
        if (closed || !isOperatorError(error, 'RemoteClusterStale')) throw error;
        return open(ref, connecting);
      }
    },
    async close() {
      closed = true;
      clearInterval(sweeper);
      options.credentials.close();
      const entries = [...pool.entries.values()];
      pool.entries.clear();
      await Promise.all(entries.map((entry) => entry.connection.retire()));
    },
  };
}

async function currentConnection(
  pool: Pool,
  ref: ClusterProfileRef,
  signal: AbortSignal | undefined,
): Promise<SpokeConnection> {
  const profile = await pool.readProfile(ref, signal).catch(async (error: unknown) => {
    if (isOperatorError(error, 'ClusterProfileNotFound')) {
      evict(pool, ref, undefined);
      pool.credentials.forget(keyOf(ref));
      pool.onGone?.(ref);
      await requireSetUp(pool, ref, error);
    }
    throw error;
  });
  try {
    const access = await resolve(pool, profile);
    return connectionFor(pool, profile, access);
  } catch (error) {
    evict(pool, ref, profile.metadata);
    throw error;
  }
}

async function resolve(pool: Pool, profile: ClusterProfile): Promise<ProfileAccess> {
  requireHealthy(profile);
  return resolveProfileAccess(profile, await accessConfig(pool, profile.metadata));
}

function accessConfig(pool: Pool, ref: ClusterProfileRef): Promise<AccessConfig> {
  return pool.providerFile.current().catch((error: unknown) => {
    if (!isOperatorError(error)) throw error;
    const message = `failed to build config from ClusterProfile ${keyOf(ref)}: ${error.message}`;
    throw new OperatorError(error.kind, message, { cause: error });
  });
}

/** A hub with neither the CRD nor a provider file was never set up for spokes, which says more than a missing profile. */
async function requireSetUp(pool: Pool, ref: ClusterProfileRef, notFound: OperatorError): Promise<void> {
  if (!isOperatorError(notFound.cause, 'KindUnavailable')) return;
  await accessConfig(pool, ref).catch((error: unknown) => {
    if (isOperatorError(error, 'MulticlusterDisabled')) throw error;
  });
}

function connectionFor(pool: Pool, profile: ClusterProfile, access: ProfileAccess): SpokeConnection {
  const key = keyOf(profile.metadata);
  const existing = pool.entries.get(key);
  if (existing !== undefined) {
    const older = isOlder(profile.metadata, existing.profile);
    if (!older) existing.profile = profile.metadata;
    if (older) return existing.connection;
    if (existing.access.hash === access.hash) return unchanged(existing, accessHash(profile));
    pool.log?.info({ profile: key }, 'the access data of a spoke changed; it is connected anew');
  }
  for (const warning of access.warnings) pool.log?.warn({ profile: key }, warning);
  const connection = createConnection(pool, profile.metadata, access);
  pool.entries.set(key, { access, connection, accessHash: accessHash(profile), profile: profile.metadata });
  void existing?.connection.retire();
  return connection;
}

/** What this connection uses is as it was; but somebody worked on the profile, so it is worth a try at once. */
function unchanged(entry: Entry, hash: string): SpokeConnection {
  if (entry.accessHash !== hash) entry.connection.resetCircuit();
  entry.accessHash = hash;
  return entry.connection;
}

function createConnection(pool: Pool, ref: ClusterProfileRef, access: ProfileAccess): SpokeConnection {
  const source = pool.credentials.source(access.plugin, keyOf(ref));
  const createClient = (settings: ConnectionSettings): ClusterClient => pool.createClient(settings, ref);
  try {
    return createSpokeConnection({ ref, access, source, createClient });
  } catch (error) {
    throw explainConnectFailure(ref, error);
  }
}

/** Two reads may arrive out of order; the older one must not undo the newer one. */
function isOlder(read: ClusterProfile['metadata'], known: ClusterProfile['metadata']): boolean {
  const versions = [read.resourceVersion, known.resourceVersion];
  if (read.uid !== known.uid || !versions.every((version) => /^\d+$/.test(version))) return false;
  return BigInt(read.resourceVersion) < BigInt(known.resourceVersion);
}

function evict(pool: Pool, ref: ClusterProfileRef, seen: ClusterProfile['metadata'] | undefined): void {
  const entry = pool.entries.get(keyOf(ref));
  if (entry === undefined || (seen !== undefined && isOlder(seen, entry.profile))) return;
  pool.entries.delete(keyOf(ref));
  void entry.connection.retire();
}

function closeIdle(pool: Pool, idleMs: number): void {
  for (const [key, entry] of pool.entries) {
    if (entry.connection.idleMs() < idleMs) continue;
    pool.entries.delete(key);
    void entry.connection.retire();
  }
}

function keyOf(ref: ClusterProfileRef): string {
  return `${ref.namespace}/${ref.name}`;
}

function poolClosed(): OperatorError {
  return new OperatorError(
    'RemoteClusterStale',
    'cluster provider closed during shutdown; another worker takes this over',
  );
}
