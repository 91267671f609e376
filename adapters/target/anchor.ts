import { wireNames } from '../../domain/api/wire-names.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { OperatorError } from '../../domain/errors.ts';
import { anchorName, anchorOwner } from '../../domain/manifests/anchor.ts';
import type { ManifestObject, OwnerReference } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';

/** Wire text of the Go operator: both operators would rewrite each other's if it differed. */
const description =
  'Anchor for Knative resources managed by knative-operator. Deleting this will cascade-delete all owned resources ' +
  'via Kubernetes GC; uninstall via the hub cluster CR instead.';

const maxNameLength = 253;

/**
 * Makes the anchor exist with its labels and annotations, keeping foreign ones; returns it as owner. Idempotent. Throws
 * SpecInvalid when the resource's name is too long for it.
 */
export async function ensureAnchor(
  client: ClusterClient,
  ref: ComponentRef,
  installNamespace: string,
): Promise<OwnerReference> {
  const name = anchorName(ref);
  if (name.length > maxNameLength) {
    throw new OperatorError(
      'SpecInvalid',
      `anchor ConfigMap name "${name}" exceeds maximum length of 253 characters; shorten the CR name`,
    );
  }
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
  return anchorOwner(ref, object.metadata.uid ?? '');
}
