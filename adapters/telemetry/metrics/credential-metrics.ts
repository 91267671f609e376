import type { PluginRun } from '../../access/credential-cache.ts';
import type { MetricDeclarations } from './metric-declaration.ts';
import type { MetricsExport } from './metrics-export.ts';

const spoke = '`namespace/name` of the ClusterProfile';

export const credentialMetrics = {
  runs: {
    type: 'counter',
    name: 'knative_fleet_credential_plugin_runs_total',
    help: 'Runs of the credential plugin. One run may serve several profiles and then counts for each.',
    labels: { spoke, outcome: '`success` or `failure`' },
  },
  duration: {
    type: 'histogram',
    name: 'knative_fleet_credential_plugin_duration_seconds',
    help: 'How long credential plugins ran.',
    labels: { outcome: '`success` or `failure`' },
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  obtained: {
    type: 'gauge',
    name: 'knative_fleet_credential_obtained_timestamp_seconds',
    help: 'When the credential that this worker holds was obtained; its age is time() less this.',
    labels: { spoke },
  },
  expires: {
    type: 'gauge',
    name: 'knative_fleet_credential_expiry_timestamp_seconds',
    help: 'When the credential that this worker holds expires. Absent when the plugin does not say.',
    labels: { spoke },
  },
} as const satisfies MetricDeclarations;

export interface CredentialObserver {
  ran(run: PluginRun): void;
  /** Takes the series of a spoke back. */
  forget(spoke: string): void;
}

const outcomes = ['success', 'failure'] as const;

export function observeCredentials(metrics: MetricsExport): CredentialObserver {
  const { runs, duration, obtained, expires } = metrics.register(credentialMetrics);
  return {
    ran({ profiles, succeeded, expiresAt, milliseconds }) {
      const outcome = succeeded ? 'success' : 'failure';
      duration.observe({ outcome }, milliseconds / 1_000);
      for (const profile of profiles) {
        // Both begin at zero, so that the first failure is an increase.
        for (const either of outcomes) runs.inc({ spoke: profile, outcome: either }, 0);
        runs.inc({ spoke: profile, outcome });
        if (!succeeded) continue;
        obtained.set({ spoke: profile }, Date.now() / 1_000);
        if (expiresAt === undefined) expires.remove({ spoke: profile });
        else expires.set({ spoke: profile }, expiresAt / 1_000);
      }
    },
    forget(name) {
      for (const outcome of outcomes) runs.remove({ spoke: name, outcome });
      obtained.remove({ spoke: name });
      expires.remove({ spoke: name });
    },
  };
}
