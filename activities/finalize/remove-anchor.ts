import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { anchorName } from '../../domain/manifests/anchor.ts';
import type { OpenTarget } from '../pass/open-target.ts';

/** Removes the anchor ConfigMap; what it still owns follows by garbage collection. One that is missing is removed. */
export async function removeAnchor(target: OpenTarget, ref: ComponentRef): Promise<void> {
  const anchor = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: target.identity.installNamespace,
    name: anchorName(ref),
  };
  const found = await target.client.get(anchor, { metadataOnly: true });
  if (found?.metadata.annotations?.[wireNames.anchorAnnotation] !== 'true') return;
  await target.client.delete(anchor, { uid: found.metadata.uid, propagation: 'Background' });
}
