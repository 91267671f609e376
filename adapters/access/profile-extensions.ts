import type { ProfileCluster } from '../../domain/api/cluster-profile.ts';
import { isRecord } from '../../domain/manifests/object.ts';
import type { AccessProvider, ExecConfig } from './access-config.ts';

type Variable = ExecConfig['env'][number];

/** Names of the cluster extensions that configure a plugin. Wire values. */
export const extensionNames = {
  config: 'client.authentication.k8s.io/exec',
  args: 'clusterprofiles.multicluster.x-k8s.io/exec/additional-args',
  envs: 'clusterprofiles.multicluster.x-k8s.io/exec/additional-envs',
} as const;

/** What one profile adds to the plugin of one provider. */
export interface PluginAdditions {
  readonly args: readonly string[];
  /** Sorted by name, each name once. */
  readonly env: readonly Variable[];
  /** Becomes spec.cluster.config of the plugin's input, unchanged. */
  readonly config: unknown;
}

/**
 * The plugin's arguments and environment for one profile, by the policies of the provider. Makes new lists: what one
 * profile adds never reaches another. Throws Error on content that cannot be used.
 */
export function applyExtensions(
  provider: AccessProvider,
  exec: ExecConfig,
  extensions: ProfileCluster['extensions'],
): PluginAdditions {
  const args: string[] = [];
  let env: readonly Variable[] = exec.env;
  let config: unknown;
  for (const { name, extension } of extensions) {
    if (name === extensionNames.config) config = extension;
    if (name === extensionNames.args && provider.profileSourcedCLIArgsPolicy === 'Append') {
      args.push(...parseArgs(extension));
    }
    if (name === extensionNames.envs && provider.profileSourcedEnvVarsPolicy !== 'Ignore') {
      const added = parseEnvs(extension);
      // The later of two equal names wins in `unique`.
      env = provider.profileSourcedEnvVarsPolicy === 'Replace' ? [...env, ...added] : [...added, ...env];
    }
  }
  return { args: [...exec.args, ...args], env: unique(env), config };
}

/** The CRD types an extension as an object, so a list can only be stored inside one. */
function parseArgs(extension: unknown): readonly string[] {
  const wrapped =
    isRecord(extension) && Object.keys(extension).length === 1 ? Object.values(extension)[0] : extension;
  if (isRecord(extension) && Object.keys(extension).length === 0) return [];
  if (wrapped === null || wrapped === undefined) return [];
  if (Array.isArray(wrapped) && wrapped.every(isArgument)) return wrapped;
  throw new Error(
    'failed to unmarshal additional CLI args extension: it must be a list of strings, or an object whose only field is one',
  );
}

function parseEnvs(extension: unknown): readonly Variable[] {
  if (extension === null || extension === undefined) return [];
  if (!isRecord(extension)) throw badEnvs('it must be an object of strings');
  return Object.entries(extension).map(([name, value]) => {
    if (!isArgument(value)) throw badEnvs(`the value of ${name} must be a string`);
    if (name === '' || name.includes('=') || name.includes('\0'))
      throw badEnvs('a variable has no usable name');
    if (isForbidden(name)) {
      throw badEnvs(
        `a ClusterProfile must not set ${name}, which decides what the plugin runs or trusts; set it in the provider file`,
      );
    }
    return { name, value };
  });
}

function badEnvs(why: string): Error {
  return new Error(`failed to unmarshal additional env vars extension: ${why}`);
}

function isArgument(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

/** Variables with which the author of a profile could run other code, or send the plugin's hub credentials elsewhere. */
const forbiddenNames: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'KUBECONFIG',
  'BASH_ENV',
  'ENV',
  'GCONV_PATH',
  'IFS',
]);
const forbiddenPrefixes = [
  'LD_',
  'DYLD_',
  'NODE_',
  'KUBERNETES_',
  'SSL_CERT_',
  'PYTHON',
  'GLIBC_',
  'PERL5',
  'RUBY',
];

function isForbidden(name: string): boolean {
  const upper = name.toUpperCase();
  return forbiddenNames.has(upper) || forbiddenPrefixes.some((prefix) => upper.startsWith(prefix));
}

function unique(env: readonly Variable[]): readonly Variable[] {
  const byName = new Map(env.map((variable) => [variable.name, variable]));
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
