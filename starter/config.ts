import { z } from 'zod';

import { settingKinds } from '../adapters/settings/setting-kinds.ts';
import { readSettings } from '../adapters/settings/setting.ts';
import type { SettingSources, SettingValues } from '../adapters/settings/setting.ts';
import { operationsAddressSetting, sharedSettings } from '../adapters/settings/shared-settings.ts';

const minMs = 1_000;
const maxSweepMs = 600_000;
const maxLeaseMs = 300_000;

/** Everything that configures a starter besides the connection to Temporal. */
export const starterSettings = {
  ...sharedSettings,
  sweepIntervalMs: {
    variable: 'SWEEP_INTERVAL_SECONDS',
    schema: z
      .string()
      .regex(/^\d+$/, 'must be a number of seconds')
      .transform((text) => Number(text) * 1_000)
      .refine((ms) => ms >= minMs && ms <= maxSweepMs, 'must be between 1 and 600'),
    default: '30',
    meaning: 'How often what watches told and open workflows are compared with the resources on the hub.',
  },
  leaderElection: {
    variable: 'LEADER_ELECTION',
    flag: '--leader-elect',
    schema: settingKinds.switch,
    default: 'true',
    meaning:
      'Whether replicas choose one leader by the Lease `knative-fleet-starter` in the namespace of the operator. Without it all replicas work, which is safe but writes more history.',
  },
  leaseMs: {
    variable: 'LEADER_ELECTION_LEASE_DURATION',
    schema: settingKinds.duration.refine(
      (ms) => ms >= minMs && ms <= maxLeaseMs,
      'must be between 1s and 5m',
    ),
    default: '15s',
    meaning:
      'How long a standby waits for a leader that is silent. A leader that could not renew its Lease for two thirds of it stops working and competes again.',
  },
  operationsAddress: operationsAddressSetting(9465),
} as const;

export type StarterConfig = SettingValues<typeof starterSettings>;

/** Reads flags and environment; a flag wins. Throws one Error that lists every problem. */
export function parseStarterConfig(sources: SettingSources): StarterConfig {
  return readSettings(starterSettings, sources);
}
