import type { ComponentResource } from '../../adapters/hub/components.ts';
import { anchorOwner, resourceOwner } from '../../domain/manifests/anchor.ts';
import type { OwnerReference } from '../../domain/manifests/object.ts';
import type { OpenTarget } from './open-target.ts';

/** The owner of namespaced objects: the anchor on a spoke, the resource itself on the hub. */
export function ownerOf(resource: ComponentResource, target: OpenTarget, anchorUID: string): OwnerReference {
  return target.local ? resourceOwner(resource.ref, resource.uid) : anchorOwner(resource.ref, anchorUID);
}
