import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import type { Inventory } from '../../domain/manifests/inventory.ts';
import { stringAt } from '../../domain/manifests/object.ts';
import { asStatus } from '../../domain/status/status-change.ts';

/** What a removal has to know of a component; its resource may be gone. */
export interface RemovedComponent {
  readonly ref: ComponentRef;
  readonly uid: string;
  readonly policy: 'Delete' | 'Deferred' | 'Retain';
  /** Empty where objects have no anchor. */
  readonly anchorUID: string;
  readonly version: string;
}

export function removedComponent(resource: ComponentResource): RemovedComponent {
  const { ref, uid } = resource;
  const status = asStatus(resource.status);
  const policy = stringAt(resource.object, 'spec', 'deletion', 'policy');
  return {
    ref,
    uid,
    policy: policy === 'Deferred' || policy === 'Retain' ? policy : 'Delete',
    anchorUID: status.target?.anchorUID ?? '',
    version: status.version ?? '',
  };
}

/** One whose removal goes on after its resource, as the mirror of its inventory says. */
export function deferredComponent(ref: ComponentRef, inventory: Inventory): RemovedComponent {
  const { uid, anchorUID, version } = inventory;
  return { ref, uid, policy: 'Deferred', anchorUID, version };
}
