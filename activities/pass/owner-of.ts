import type { ComponentResource } from '../../adapters/hub/components.ts';
import { componentApi } from '../../domain/api/component-ref.ts';
import type { OwnerReference } from '../../domain/manifests/object.ts';
import type { OpenTarget } from './open-target.ts';

/** The owner of namespaced objects: the anchor on a spoke, the resource itself on the hub. */
export function ownerOf(resource: ComponentResource, target: OpenTarget, anchorUID: string): OwnerReference {
  const { kind, name } = resource.ref;
  const flags = { controller: true, blockOwnerDeletion: true };
  if (target.local) {
    return { apiVersion: componentApi.apiVersion, kind, name, uid: resource.uid, ...flags };
  }
  const anchor = `${kind.toLowerCase()}-${name}-root-owner`;
  return { apiVersion: 'v1', kind: 'ConfigMap', name: anchor, uid: anchorUID, ...flags };
}
