import { claimNamespace, wireNames } from '../../domain/api/wire-names.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import type { ClaimRecord } from '../../domain/lifecycle/claim.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { recordAt } from '../../domain/manifests/object.ts';
import { kubernetesMicroTime } from '../../domain/status/kubernetes-time.ts';
import type { ClusterClient, ObjectRef } from '../kubernetes/cluster-client.ts';

/** A claim as found, with what is needed to change exactly that one. */
export interface HeldClaim {
  readonly record: ClaimRecord;
  readonly lease: ManifestObject;
  /** Server time of the last write, RFC 3339 in UTC with seconds. */
  readonly writtenAt: string;
}

const prefix = 'fleet.knative.dev/claim-';

/** The Lease that marks one kind of component as owned on a target. POST, then only PUT with resourceVersion. */
export interface ClaimStore {
  read(kind: ComponentKind, signal?: AbortSignal): Promise<HeldClaim | undefined>;
  /** Rejects with kind Conflict when somebody else was faster. */
  create(kind: ComponentKind, record: ClaimRecord): Promise<HeldClaim>;
  /** Rejects with kind Conflict when the claim changed since it was read. */
  replace(held: HeldClaim, record: ClaimRecord): Promise<HeldClaim>;
  /** Writes it again as it is, so that `writtenAt` is the target's time now. Rejects as `replace` does. */
  renew(held: HeldClaim): Promise<HeldClaim>;
  /** Deletes exactly the claim that was read; success when it is gone. */
  remove(held: HeldClaim): Promise<void>;
}

export function createClaimStore(client: ClusterClient): ClaimStore {
  return {
    async read(kind, signal) {
      const lease = await client.get(refOf(kind), { signal });
      return lease === undefined ? undefined : heldClaim(lease);
    },
    async create(kind, record) {
      const { apiVersion, name, namespace } = refOf(kind);
      const lease: ManifestObject = {
        apiVersion,
        kind: 'Lease',
        metadata: { name, namespace: namespace ?? '', annotations: annotationsOf(record) },
        spec: { holderIdentity: record.component },
      };
      return heldClaim(await client.create(lease));
    },
    async replace(held, record) {
      const { annotations, ...metadata } = held.lease.metadata;
      const kept = Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith(prefix));
      return heldClaim(
        await client.replace({
          ...held.lease,
          metadata: { ...metadata, annotations: { ...Object.fromEntries(kept), ...annotationsOf(record) } },
          spec: { holderIdentity: record.component },
        }),
      );
    },
    async renew({ lease }) {
      // The value says nothing to anybody; without a change the target would not note a time.
      const spec = { ...recordAt(lease, 'spec'), renewTime: kubernetesMicroTime(new Date()) };
      return heldClaim(await client.replace({ ...lease, spec }));
    },
    async remove(held) {
      const { name, namespace, uid, resourceVersion } = held.lease.metadata;
      const ref = { apiVersion: held.lease.apiVersion, kind: 'Lease', name: name ?? '', namespace };
      await client.delete(ref, { uid, resourceVersion, propagation: 'Background' });
    },
  };
}

function refOf(kind: ComponentKind): ObjectRef {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    namespace: claimNamespace,
    name: `${wireNames.fieldManager}-${kind.toLowerCase()}`,
  };
}

function annotationsOf(record: ClaimRecord): Record<string, string> {
  return {
    [`${prefix}hub-id`]: record.hubId,
    [`${prefix}hub-cluster-uid`]: record.hubClusterUID,
    [`${prefix}component`]: record.component,
    [`${prefix}uid`]: record.uid,
    [`${prefix}install-namespace`]: record.installNamespace,
    [`${prefix}anchor-uid`]: record.anchorUID,
    [`${prefix}state`]: record.state,
  };
}

function heldClaim(lease: ManifestObject): HeldClaim {
  const read = (key: string): string => lease.metadata.annotations?.[`${prefix}${key}`] ?? '';
  const state = read('state');
  return {
    lease,
    writtenAt: lastWrite(lease),
    record: {
      hubId: read('hub-id'),
      hubClusterUID: read('hub-cluster-uid'),
      component: read('component'),
      uid: read('uid'),
      installNamespace: read('install-namespace'),
      anchorUID: read('anchor-uid'),
      state: state === 'Finalizing' || state === 'Retained' ? state : 'Owned',
    },
  };
}

/** The newest time in the managed fields: the target's own clock, free of skew against ours. */
function lastWrite(object: ManifestObject): string {
  const times = (object.metadata.managedFields ?? []).map((entry) => entry.time ?? '');
  return [...times, object.metadata.creationTimestamp ?? ''].sort().at(-1) ?? '';
}
