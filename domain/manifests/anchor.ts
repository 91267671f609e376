import type { ComponentRef } from '../api/component-ref.ts';
import { componentApi } from '../api/component-ref.ts';
import type { OwnerReference } from './object.ts';

/** Name of the anchor ConfigMap on a spoke. A long resource name makes one that no ConfigMap can have. */
export function anchorName(ref: ComponentRef): string {
  return `${ref.kind.toLowerCase()}-${ref.name}-root-owner`;
}

const ownership = { controller: true, blockOwnerDeletion: true };

/** The anchor as owner of what is installed on a spoke. */
export function anchorOwner(ref: ComponentRef, uid: string): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: anchorName(ref), uid, ...ownership };
}

/** The resource itself as owner of what is installed on its own cluster. */
export function resourceOwner(ref: ComponentRef, uid: string): OwnerReference {
  return { apiVersion: componentApi.apiVersion, kind: ref.kind, name: ref.name, uid, ...ownership };
}
