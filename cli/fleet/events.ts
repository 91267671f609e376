import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { onHub } from '../../adapters/hub/components.ts';
import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { stringAt } from '../../domain/manifests/object.ts';

export interface ComponentEventView {
  readonly lastTime: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
}

const shown = 10;

/** The newest Kubernetes events of a resource, oldest first. */
export async function recentEvents(
  hub: ClusterClient,
  resource: ComponentResource,
): Promise<readonly ComponentEventView[]> {
  const fieldSelector = `involvedObject.uid=${resource.uid}`;
  const objects = await onHub(() =>
    hub.list('v1', 'Event', { namespace: resource.ref.namespace, fieldSelector }),
  );
  return objects
    .map(eventView)
    .toSorted((a, b) => (a.lastTime < b.lastTime ? -1 : 1))
    .slice(-shown);
}

function eventView(event: ManifestObject): ComponentEventView {
  const count = event['count'];
  return {
    lastTime: stringAt(event, 'lastTimestamp') ?? event.metadata.creationTimestamp ?? '',
    type: stringAt(event, 'type') ?? '',
    reason: stringAt(event, 'reason') ?? '',
    message: stringAt(event, 'message') ?? '',
    count: typeof count === 'number' ? count : 1,
  };
}
