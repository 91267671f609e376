import { settingKinds } from '../adapters/settings/setting-kinds.ts';
import { readSettings } from '../adapters/settings/setting.ts';
import type { SettingSources, SettingValues } from '../adapters/settings/setting.ts';
import { operationsAddressSetting, sharedSettings } from '../adapters/settings/shared-settings.ts';

/** Everything that configures a worker besides the connection to Temporal. */
export const workerSettings = {
  ...sharedSettings,
  providerFile: {
    variable: 'CLUSTERPROFILE_PROVIDER_FILE',
    flag: '--clusterprofile-provider-file',
    schema: settingKinds.text,
    meaning:
      'Path of the access provider file. Without it components can only go to the hub itself. Read again when it changes.',
  },
  pollIntervalMs: {
    variable: 'REMOTE_DEPLOYMENTS_POLL_INTERVAL',
    flag: '--remote-deployments-poll-interval',
    schema: settingKinds.duration,
    default: '10s',
    meaning:
      'How often workloads are looked at while they roll out, in case a watch is silent. Below 1s the default is used.',
  },
  releases: {
    variable: 'RELEASES_DIRECTORY',
    flag: '--releases',
    schema: settingKinds.text,
    meaning: 'Directory with the releases. Without it the sample that ships with this software.',
  },
  releasesDownload: {
    variable: 'RELEASES_DOWNLOAD',
    schema: settingKinds.switch,
    default: 'false',
    meaning: 'Whether published releases are downloaded from GitHub. A directory has precedence.',
  },
  cache: {
    variable: 'RELEASES_CACHE',
    schema: settingKinds.text,
    meaning:
      'Directory for parsed and downloaded releases. Without it they are parsed again at every start, and downloads go to the temporary directory.',
  },
  manifestUrlPrefixes: {
    variable: 'MANIFEST_URL_PREFIXES',
    schema: settingKinds.list,
    default: '',
    meaning:
      'Prefixes of https URLs, separated by commas, from which `spec.manifests` and `spec.additionalManifests` may be read. Empty: from nowhere.',
  },
  kubernetesMinVersion: {
    variable: 'KUBERNETES_MIN_VERSION',
    schema: settingKinds.text,
    meaning: 'The oldest Kubernetes version of a target, in place of the one that each release names.',
  },
  workflowBundle: {
    variable: 'WORKFLOW_BUNDLE',
    schema: settingKinds.text,
    meaning: 'A workflow bundle made ahead of time. Without it the workflows are bundled at start.',
  },
  maxCachedWorkflows: {
    variable: 'MAX_CACHED_WORKFLOWS',
    schema: settingKinds.count,
    default: '10',
    meaning:
      'How many workflows stay in memory between their tasks. With 0 every task replays its history; a worker that dies then holds up no workflow until its sticky queue times out.',
  },
  shutdownGraceMs: {
    variable: 'SHUTDOWN_GRACE_PERIOD',
    schema: settingKinds.duration,
    default: '20s',
    meaning:
      'How long activities may go on after SIGTERM. Then they are cancelled, and Temporal runs them again on another worker; the process is gone at the latest 25s later, so a pod needs that much more as terminationGracePeriodSeconds.',
  },
  operationsAddress: operationsAddressSetting(9464),
} as const;

export type WorkerConfig = SettingValues<typeof workerSettings>;

const minPollMs = 1_000;
const defaultPollMs = 10_000;

/** Reads flags and environment; a flag wins. Throws one Error that lists every problem. */
export function parseWorkerConfig(sources: SettingSources, warn: (message: string) => void): WorkerConfig {
  const config = readSettings(workerSettings, sources);
  if (config.pollIntervalMs >= minPollMs) return config;
  // Below one second a poll would be a busy loop: it falls back to the default, as it always has, and says so.
  warn(`remote deployments poll interval ${String(config.pollIntervalMs)}ms is below 1s; 10s is used`);
  return { ...config, pollIntervalMs: defaultPollMs };
}
