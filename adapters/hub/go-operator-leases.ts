import { goOperatorNamespace, isRenewedGoLease } from '../../domain/api/go-operator.ts';
import { isOperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { stringAt } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';
import type { Logger } from '../telemetry/logger.ts';
import { onHub } from './components.ts';

/** A leader Lease of a Go operator that is being renewed. */
export interface RenewedLease {
  /** `<namespace>/<name>`. */
  readonly lease: string;
  readonly holder: string;
}

/** Tells whether a Go operator is at work on this hub. */
export interface GoOperatorLeases {
  /** Undefined when none is. Rejects with HubUnavailable when the hub does not tell. */
  renewed(): Promise<RenewedLease | undefined>;
}

export interface GoOperatorLeaseOptions {
  readonly operatorNamespace: string;
  /** How long one look serves everybody who asks, milliseconds. */
  readonly maxAgeMs: number;
  /** Told when nothing can be said about a namespace that is not ours, for want of the right to look. */
  readonly log: Pick<Logger, 'debug'>;
}

export function createGoOperatorLeases(
  hub: ClusterClient,
  options: GoOperatorLeaseOptions,
): GoOperatorLeases {
  let last: { readonly at: number; readonly found: Promise<RenewedLease | undefined> } | undefined;
  return {
    renewed() {
      const now = performance.now();
      if (last !== undefined && now - last.at < options.maxAgeMs) return last.found;
      const found = onHub(() => look(hub, options));
      last = { at: now, found };
      found.catch(() => (last = undefined));
      return found;
    },
  };
}

async function look(hub: ClusterClient, options: GoOperatorLeaseOptions): Promise<RenewedLease | undefined> {
  const namespaces = new Set([options.operatorNamespace, goOperatorNamespace]);
  const lists = await Promise.all([...namespaces].map((namespace) => leasesIn(hub, namespace, options)));
  const now = Date.now();
  const lease = lists.flat().find((found) => isRenewedGoLease(found, now));
  if (lease === undefined) return undefined;
  const { namespace = '', name = '' } = lease.metadata;
  return { lease: `${namespace}/${name}`, holder: stringAt(lease, 'spec', 'holderIdentity') ?? '' };
}

async function leasesIn(
  hub: ClusterClient,
  namespace: string,
  { operatorNamespace, log }: GoOperatorLeaseOptions,
): Promise<readonly ManifestObject[]> {
  try {
    return await hub.list('coordination.k8s.io/v1', 'Lease', { namespace });
  } catch (error) {
    if (namespace === operatorNamespace || !isOperatorError(error, 'SpokeForbidden')) throw error;
    log.debug({}, `whether a Go operator is at work in ${namespace} is not known: ${error.message}`);
    return [];
  }
}
