import { wireNames } from '../../domain/api/wire-names.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { recordAt } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';
import { abandonmentLabel } from './abandonment-records.ts';
import { onHub } from './components.ts';

/** A record of what stayed behind, as it is on the hub. */
export interface AbandonmentRecord {
  /** Name of its ConfigMap in the operator's namespace. */
  readonly name: string;
  /** `Kind/namespace/name`. */
  readonly component: string;
  readonly uid: string;
  /** `namespace/name` of the ClusterProfile, or `local`; empty when it was never known. */
  readonly clusterProfile: string;
  readonly server: string;
  readonly clusterUID: string;
  readonly installNamespace: string;
  readonly why: string;
  readonly requestedBy: string;
  /** When it was recorded. */
  readonly since: string;
  /** When it was removed after all; null as long as it was not. */
  readonly cleanedAt: string | null;
  /** `Kind namespace/name`; empty once it was removed. */
  readonly remaining: readonly string[];
}

/** All records in the operator's namespace, oldest first. */
export async function readAbandonments(
  hub: ClusterClient,
  namespace: string,
): Promise<readonly AbandonmentRecord[]> {
  const labelSelector = `${wireNames.managedByLabel}=${wireNames.fieldManager},${abandonmentLabel}=true`;
  const objects = await onHub(() => hub.list('v1', 'ConfigMap', { namespace, labelSelector }));
  return objects.map(recordOf).toSorted((a, b) => (a.since < b.since ? -1 : 1));
}

function recordOf(object: ManifestObject): AbandonmentRecord {
  const data = recordAt(object, 'data');
  const text = (key: string): string => {
    const value = data[key];
    return typeof value === 'string' ? value : '';
  };
  return {
    name: object.metadata.name ?? '',
    component: text('component'),
    uid: text('uid'),
    clusterProfile: text('clusterProfile'),
    server: text('server'),
    clusterUID: text('clusterUID'),
    installNamespace: text('installNamespace'),
    why: text('why'),
    requestedBy: text('requestedBy'),
    since: object.metadata.creationTimestamp ?? '',
    cleanedAt: text('cleanedAt') || null,
    remaining: text('remaining').split('\n').filter(Boolean),
  };
}
