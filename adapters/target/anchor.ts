import { wireNames } from '../../domain/api/wire-names.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ManifestObject, OwnerReference } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';

/** Wire text of the Go operator: both operators would rewrite each other's if it differed. */
const description =
  'Anchor for Knative resources managed by knative-operator. Deleting this will cascade-delete all owned resources ' +
  'via Kubernetes GC; uninstall via the hub cluster CR instead.';

/** Name of the anchor ConfigMap. Throws SpecInvalid when the resource's name is too long for it. */
export function anchorName(ref: ComponentRef): string {
  const name = `${ref.kind.toLowerCase()}-${ref.name}-root-owner`;
  if (name.length <= 253) return name;
  throw new OperatorError(
    'SpecInvalid',
    `anchor ConfigMap name "${name}" exceeds maximum length of 253 characters; shorten the CR name`,
  );
}

/** Makes the anchor exist with its labels and annotations, keeping foreign ones; returns it as owner. Idempotent. */
export async function ensureAnchor(
  client: ClusterClient,
  ref: ComponentRef,
  installNamespace: string,
): Promise<OwnerReference> {
  const name = anchorName(ref);
  const anchor: ManifestObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: installNamespace,
      labels: {
        [wireNames.managedByLabel]: wireNames.managedByValue,
        [wireNames.anchorNameLabel]: ref.name,
      },
      annotations: {
        [wireNames.anchorAnnotation]: 'true',
        [wireNames.anchorProtectedAnnotation]: 'true',
        [wireNames.anchorDescriptionAnnotation]: description,
      },
    },
  };
  const { object } = await client.apply(anchor, { force: true, metadataOnly: true });
  if (object.metadata.deletionTimestamp !== undefined) {
    throw new OperatorError(
      'NamespaceTerminating',
      `anchor ConfigMap ${installNamespace}/${name} is being deleted; it is made again when it is gone`,
    );
  }
  return ownerReferenceTo('v1', 'ConfigMap', name, object.metadata.uid ?? '');
}

export function ownerReferenceTo(
  apiVersion: string,
  kind: string,
  name: string,
  uid: string,
): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
