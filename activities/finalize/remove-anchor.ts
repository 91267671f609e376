import type { ObjectRef } from '../../adapters/kubernetes/cluster-client.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { isOperatorError } from '../../domain/errors.ts';
import { anchorName } from '../../domain/manifests/anchor.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { OpenTarget } from '../pass/open-target.ts';

/**
 * Removes the anchor ConfigMap; what it still owns follows by garbage collection. One with another UID than the recorded
 * one goes only if it is marked as an anchor: a person deleted the first, and a pass made it again. Idempotent.
 */
export async function removeAnchor(target: OpenTarget, ref: ComponentRef, uid: string): Promise<void> {
  const anchor = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: target.identity.installNamespace,
    name: anchorName(ref),
  };
  try {
    if (uid !== '') return await remove(target, anchor, uid);
  } catch (error) {
    if (!isOperatorError(error, 'Conflict')) throw error;
  }
  const found = await target.client.get(anchor, { metadataOnly: true });
  if (found === undefined || !isAnchorOf(found, ref)) return;
  await remove(target, anchor, found.metadata.uid);
}

/** Whether an object is marked as the anchor of a component; a ConfigMap of the same name may be somebody else's. */
export function isAnchorOf({ kind, metadata }: ManifestObject, ref: ComponentRef): boolean {
  if (kind !== 'ConfigMap' || metadata.name !== anchorName(ref)) return false;
  return metadata.annotations?.[wireNames.anchorAnnotation] === 'true';
}

async function remove(target: OpenTarget, anchor: ObjectRef, uid: string | undefined): Promise<void> {
  await target.client.delete(anchor, { uid, propagation: 'Background' });
}
