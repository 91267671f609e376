import type { ManifestObject } from '../../domain/manifests/object.ts';
import { recordAt } from '../../domain/manifests/object.ts';
import { kubernetesMicroTime } from '../../domain/status/kubernetes-time.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';

/** What a Lease says. Its times are for people: no clocks of two machines are compared. */
export interface LeaseView {
  /** Empty: nobody holds it. */
  readonly holder: string;
  /** How long its holder may be silent, milliseconds. */
  readonly durationMs: number;
  readonly acquireTime: string;
  readonly transitions: number;
  /** Changes with every write. */
  readonly resourceVersion: string;
}

/** One Lease by which replicas choose a leader. */
export interface ElectionLease {
  /** `namespace/name`. */
  readonly name: string;
  /** Undefined when it does not exist. */
  read(signal: AbortSignal): Promise<LeaseView | undefined>;
  /**
   * Takes or renews it as `holder`, empty to give it up, if it still is what `seen` says. Rejects with kind Conflict when
   * somebody else was faster.
   */
  write(seen: LeaseView | undefined, holder: string, signal: AbortSignal): Promise<LeaseView>;
}

export interface ElectionLeaseOptions {
  readonly namespace: string;
  readonly name: string;
  readonly durationMs: number;
}

const api = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } as const;
/** The least that a Lease may say; nobody waits for one that nobody holds. */
const releasedSeconds = 1;

/** Takes a client of its own: what watches and reads on the hub must not hold up a renewal. */
export function createElectionLease(hub: ClusterClient, options: ElectionLeaseOptions): ElectionLease {
  const { namespace, name, durationMs } = options;
  return {
    name: `${namespace}/${name}`,
    async read(signal) {
      hub.resetCircuit();
      const found = await hub.get({ ...api, namespace, name }, { signal });
      return found === undefined ? undefined : viewOf(found);
    },
    async write(seen, holder, signal) {
      hub.resetCircuit();
      const leaseDurationSeconds = holder === '' ? releasedSeconds : Math.ceil(durationMs / 1_000);
      const spec = { ...specFor(seen, holder), leaseDurationSeconds };
      const metadata = { namespace, name };
      if (seen === undefined) return viewOf(await hub.create({ ...api, metadata, spec }, { signal }));
      const { resourceVersion } = seen;
      const object = { ...api, metadata: { ...metadata, resourceVersion }, spec };
      return viewOf(await hub.replace(object, { signal }));
    },
  };
}

function specFor(seen: LeaseView | undefined, holder: string): Readonly<Record<string, unknown>> {
  const renewTime = kubernetesMicroTime(new Date());
  const { acquireTime = '', transitions = 0 } = seen ?? {};
  const same = seen?.holder === holder;
  return {
    holderIdentity: holder,
    renewTime,
    acquireTime: same && acquireTime !== '' ? acquireTime : renewTime,
    leaseTransitions: same || holder === '' ? transitions : transitions + 1,
  };
}

function viewOf(object: ManifestObject): LeaseView {
  const spec = recordAt(object, 'spec');
  return {
    holder: textOf(spec['holderIdentity']),
    durationMs: Number(spec['leaseDurationSeconds'] ?? 0) * 1_000,
    acquireTime: textOf(spec['acquireTime']),
    transitions: Number(spec['leaseTransitions'] ?? 0),
    resourceVersion: object.metadata.resourceVersion ?? '',
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
