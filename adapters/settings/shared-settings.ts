import { z } from 'zod';

import { settingKinds } from './setting-kinds.ts';

/** Settings that worker and starter have in common. */
export const sharedSettings = {
  kubeconfig: {
    variable: 'KUBECONFIG',
    flag: '--kubeconfig',
    schema: settingKinds.text,
    meaning: 'Path of the kubeconfig of the hub. Without it the service account of the pod is used.',
  },
  operatorNamespace: {
    variable: 'OPERATOR_NAMESPACE',
    flag: '--operator-namespace',
    schema: settingKinds.text,
    default: 'knative-operator',
    meaning:
      'Namespace on the hub for inventories, records of what was abandoned and the Lease of the starter. It must exist.',
  },
  hubId: {
    variable: 'HUB_ID',
    schema: z.string().max(63, 'must have at most 63 characters'),
    default: '',
    meaning:
      'Tells hubs apart that share one Temporal namespace, or that were cloned from one cluster; it prefixes workflow ids.',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    schema: z.string().regex(/^(debug|info|warn|error)$/, 'must be debug, info, warn or error'),
    default: 'info',
    meaning: 'The least level that is logged: debug, info, warn or error.',
  },
} as const;

/** Where `/healthz`, `/readyz` and `/metrics` are served. */
export function operationsAddressSetting(port: number) {
  return {
    variable: 'METRICS_BIND_ADDRESS',
    flag: '--metrics-bind-address',
    schema: settingKinds.bindAddress,
    default: `127.0.0.1:${String(port)}`,
    meaning:
      'Where `/metrics`, `/healthz` and `/readyz` are served, as host:port, or `off`. They need no credentials: outside of loopback only where a network policy limits who may call. In a pod: `0.0.0.0:<port>`, so that the kubelet reaches the probes.',
  } as const;
}
