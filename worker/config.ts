import { z } from 'zod';

/** Everything that configures a worker, resolved once at start. */
export interface WorkerConfig {
  readonly kubeconfig: string | undefined;
  readonly operatorNamespace: string;
  readonly hubId: string;
  readonly providerFile: string | undefined;
  readonly pollIntervalMs: number;
  readonly releases: string | undefined;
  /** Take published releases from GitHub; a directory has precedence. */
  readonly releasesDownload: boolean;
  readonly cache: string | undefined;
  readonly manifestUrlPrefixes: readonly string[];
  readonly kubernetesMinVersion: string | undefined;
  readonly workflowBundle: string | undefined;
  readonly logLevel: string;
}

const text = z.string().min(1).optional();

const Environment = z.object({
  KUBECONFIG: text,
  OPERATOR_NAMESPACE: z.string().min(1).default('knative-operator'),
  HUB_ID: z.string().max(63).default(''),
  CLUSTERPROFILE_PROVIDER_FILE: text,
  REMOTE_DEPLOYMENTS_POLL_INTERVAL: z
    .string()
    .regex(/^\d+(ms|s|m)$/, 'must be a duration such as 10s or 1m')
    .default('10s'),
  RELEASES_DIRECTORY: text,
  RELEASES_DOWNLOAD: z.enum(['true', 'false']).default('false'),
  RELEASES_CACHE: text,
  MANIFEST_URL_PREFIXES: z.string().default(''),
  KUBERNETES_MIN_VERSION: text,
  WORKFLOW_BUNDLE: text,
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});

const flags: Readonly<Record<string, keyof z.input<typeof Environment>>> = {
  '--kubeconfig': 'KUBECONFIG',
  '--clusterprofile-provider-file': 'CLUSTERPROFILE_PROVIDER_FILE',
  '--remote-deployments-poll-interval': 'REMOTE_DEPLOYMENTS_POLL_INTERVAL',
  '--releases': 'RELEASES_DIRECTORY',
};

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };
const minPollMs = 1_000;
const defaultPollMs = 10_000;

/** Reads flags and environment; a flag wins. Throws one Error that lists every problem. */
export function parseWorkerConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): WorkerConfig {
  const { values, problems } = readFlags(args);
  const parsed = Environment.safeParse({ ...environment, ...values });
  const issues = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (!parsed.success || problems.length > 0) {
    throw new Error(
      `the configuration has problems:\n${[...problems, ...issues].map((text_) => `  ${text_}`).join('\n')}`,
    );
  }
  const env = parsed.data;
  return {
    kubeconfig: env.KUBECONFIG,
    operatorNamespace: env.OPERATOR_NAMESPACE,
    hubId: env.HUB_ID,
    providerFile: env.CLUSTERPROFILE_PROVIDER_FILE,
    pollIntervalMs: pollInterval(env.REMOTE_DEPLOYMENTS_POLL_INTERVAL, warn),
    releases: env.RELEASES_DIRECTORY,
    releasesDownload: env.RELEASES_DOWNLOAD === 'true',
    cache: env.RELEASES_CACHE,
    manifestUrlPrefixes: env.MANIFEST_URL_PREFIXES.split(',').filter((prefix) => prefix !== ''),
    kubernetesMinVersion: env.KUBERNETES_MIN_VERSION,
    workflowBundle: env.WORKFLOW_BUNDLE,
    logLevel: env.LOG_LEVEL,
  };
}

/** Below one second a poll would be a busy loop: it falls back to the default, as it always has, and says so. */
function pollInterval(duration: string, warn: (message: string) => void): number {
  const [, amount = '0', unit = 's'] = /^(\d+)(ms|s|m)$/.exec(duration) ?? [];
  const milliseconds = Number(amount) * (units[unit] ?? 1_000);
  if (milliseconds >= minPollMs) return milliseconds;
  warn(`remote deployments poll interval ${duration} is below 1s; 10s is used`);
  return defaultPollMs;
}

function readFlags(args: readonly string[]): { values: Record<string, string>; problems: string[] } {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const [flag = '', inline] = (args[index] ?? '').split(/=(.*)/s);
    const key = flags[flag];
    const value = inline ?? args[++index];
    if (key === undefined)
      problems.push(`${flag}: is not a flag; known are ${Object.keys(flags).join(', ')}`);
    else if (value === undefined) problems.push(`${flag}: needs a value`);
    else values[key] = value;
  }
  return { values, problems };
}
