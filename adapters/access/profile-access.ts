import { clusterProfileApi } from '../../domain/api/cluster-profile.ts';
import type {
  ClusterProfile,
  ProfileAccessProvider,
  ProfileCluster,
} from '../../domain/api/cluster-profile.ts';
import { messageOf, OperatorError } from '../../domain/errors.ts';
import type { ErrorKind } from '../../domain/errors.ts';
import type { AccessConfig, AccessProvider, ExecConfig } from './access-config.ts';
import { canonicalHash } from './canonical-hash.ts';
import { readCertificates } from './certificates.ts';
import { applyExtensions } from './profile-extensions.ts';

/** One run of a plugin: what to start and what to tell it. */
export interface PluginCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Sorted by name. */
  readonly env: readonly ExecConfig['env'][number][];
  readonly apiVersion: string;
  readonly installHint: string;
  /** `spec.cluster` of its input; absent unless the provider asks for it. */
  readonly clusterInfo: Readonly<Record<string, unknown>> | undefined;
}

/** How one ClusterProfile is reached, by one provider of the provider file. */
export interface ProfileAccess {
  readonly provider: string;
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string | undefined;
  readonly tlsServerName: string | undefined;
  readonly proxyUrl: string | undefined;
  readonly plugin: PluginCall;
  /** Of everything above: a different hash is a different connection. */
  readonly hash: string;
  /** For the log; nothing that stops the access. */
  readonly warnings: readonly string[];
}

/**
 * Resolves a profile against the provider file: the first provider *of the file* that occurs in the profile decides.
 * Pure; never changes `config`. Throws ClusterProfileNotReady, AccessProviderFailed or RemoteClientCreationFailed.
 */
export function resolveProfileAccess(profile: ClusterProfile, config: AccessConfig): ProfileAccess {
  requireHealthy(profile);
  const selected = select(profile, config);
  const { provider, cluster, warnings } = selected;
  const fail = (why: string, kind: ErrorKind = 'AccessProviderFailed'): OperatorError =>
    buildFailure(profile, `access provider "${provider.name}": ${why}`, kind);
  if (provider.execConfig === null || provider.execConfig === undefined) {
    throw buildFailure(
      profile,
      `no exec config found for provider "${provider.name}"; add it to the provider file`,
    );
  }
  const refusal = refuse(cluster);
  if (refusal !== undefined) throw fail(refusal);
  try {
    const access = {
      provider: provider.name,
      server: cluster.server,
      certificateAuthority: authorityOf(cluster),
      tlsServerName: present(cluster['tls-server-name']),
      proxyUrl: present(cluster['proxy-url']),
      plugin: pluginCall(provider, provider.execConfig, cluster),
    };
    return { ...access, hash: canonicalHash(access), warnings };
  } catch (error) {
    throw error instanceof OperatorError ? fail(error.message, error.kind) : fail(messageOf(error));
  }
}

/** Throws ClusterProfileNotReady; checked before anything else about a profile. */
export function requireHealthy(profile: ClusterProfile): void {
  if (isHealthy(profile)) return;
  const condition = healthCondition(profile);
  const why =
    condition === undefined
      ? `it has no condition ${clusterProfileApi.healthCondition}`
      : `${clusterProfileApi.healthCondition} is ${condition.status}`;
  throw new OperatorError('ClusterProfileNotReady', `ClusterProfile ${nameOf(profile)} is not ready`, {
    details: { because: why },
  });
}

/** Whether the control plane is reported as healthy; a profile that nobody reports on is not. */
export function isHealthy(profile: ClusterProfile): boolean {
  return healthCondition(profile)?.status === 'True';
}

function healthCondition(
  profile: ClusterProfile,
): ClusterProfile['status']['conditions'][number] | undefined {
  return profile.status.conditions.find((condition) => condition.type === clusterProfileApi.healthCondition);
}

interface Selection {
  readonly provider: AccessProvider;
  readonly cluster: ProfileCluster;
  readonly warnings: readonly string[];
}

function select(profile: ClusterProfile, config: AccessConfig): Selection {
  const offered = offeredProviders(profile);
  for (const provider of config.providers) {
    const found = offered.get(provider.name);
    if (found === undefined) continue;
    if (found.cluster === undefined) {
      throw buildFailure(
        profile,
        `access provider "${provider.name}" of the ClusterProfile describes no cluster`,
      );
    }
    const current = profile.status.accessProviders.some((entry) => entry.name === provider.name);
    const warning = `ClusterProfile ${nameOf(profile)} offers "${provider.name}" only in the deprecated credentialProviders`;
    return { provider, cluster: found.cluster, warnings: current ? [] : [warning] };
  }
  const known = config.providers.map((provider) => provider.name);
  throw buildFailure(
    profile,
    `no matching cluster accessor found for cluster profile "${profile.metadata.name}": the ClusterProfile offers ` +
      `[${[...offered.keys()].join(', ')}], the provider file knows [${known.join(', ')}]`,
  );
}

function offeredProviders(profile: ClusterProfile): ReadonlyMap<string, ProfileAccessProvider> {
  const { credentialProviders, accessProviders } = profile.status;
  return new Map([...credentialProviders, ...accessProviders].map((entry) => [entry.name, entry]));
}

/** What the author of a profile must not decide, and what cannot be done. */
function refuse(cluster: ProfileCluster): string | undefined {
  if (cluster['insecure-skip-tls-verify'] === true) {
    return 'insecure-skip-tls-verify is refused, credentials would go to whoever answers; set certificate-authority-data';
  }
  if (
    present(cluster['certificate-authority']) !== undefined &&
    !present(cluster['certificate-authority-data'])
  ) {
    return 'certificate-authority is refused, a ClusterProfile may not name files of the hub; set certificate-authority-data';
  }
  return refuseServer(cluster.server) ?? refuseProxy(present(cluster['proxy-url']));
}

function refuseServer(address: string): string | undefined {
  const server = URL.canParse(address) ? new URL(address) : undefined;
  if (server === undefined || !/^https?:$/.test(server.protocol)) {
    return 'cluster.server is not a URL; set it to https://<host>:<port>';
  }
  if (server.username !== '' || server.password !== '') return 'cluster.server must not contain credentials';
  return undefined;
}

function refuseProxy(proxy: string | undefined): string | undefined {
  if (proxy === undefined) return undefined;
  const protocol = URL.canParse(proxy) ? new URL(proxy).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return undefined;
  return 'proxy-url must be an http:// or https:// URL; socks5 is not supported';
}

function authorityOf(cluster: ProfileCluster): string | undefined {
  const data = present(cluster['certificate-authority-data']);
  if (data === undefined) return undefined;
  const pem = Buffer.from(data, 'base64').toString('utf8');
  try {
    readCertificates(pem);
  } catch (error) {
    throw new OperatorError(
      'RemoteClientCreationFailed',
      `failed to create remote kube client: certificate-authority-data is not usable: ${messageOf(error)}`,
    );
  }
  return pem;
}

function pluginCall(provider: AccessProvider, exec: ExecConfig, cluster: ProfileCluster): PluginCall {
  const { args, env, config } = applyExtensions(provider, exec, cluster.extensions);
  const { command, apiVersion, installHint, provideClusterInfo } = exec;
  const clusterInfo = provideClusterInfo ? clusterInfoOf(cluster, config) : undefined;
  return { command, args, env, apiVersion, installHint, clusterInfo };
}

function clusterInfoOf(cluster: ProfileCluster, config: unknown): Readonly<Record<string, unknown>> {
  const fields = {
    server: cluster.server,
    'tls-server-name': present(cluster['tls-server-name']),
    'certificate-authority-data': present(cluster['certificate-authority-data']),
    'proxy-url': present(cluster['proxy-url']),
    'disable-compression': cluster['disable-compression'] === true ? true : undefined,
    config,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function present(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function nameOf(profile: ClusterProfile): string {
  return `${profile.metadata.namespace}/${profile.metadata.name}`;
}

function buildFailure(
  profile: ClusterProfile,
  why: string,
  kind: ErrorKind = 'AccessProviderFailed',
): OperatorError {
  return new OperatorError(kind, `failed to build config from ClusterProfile ${nameOf(profile)}: ${why}`);
}

/**
 * A hash of all that decides whether and how a profile can be used: health and both provider lists. Equal for a profile
 * that a heartbeat merely rewrote.
 */
export function accessHash(profile: ClusterProfile): string {
  const { accessProviders, credentialProviders } = profile.status;
  const byName = (list: readonly ProfileAccessProvider[]): readonly ProfileAccessProvider[] =>
    list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return canonicalHash({
    healthy: isHealthy(profile),
    accessProviders: byName(accessProviders),
    credentialProviders: byName(credentialProviders),
  });
}
