import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { anchorName } from '../../domain/manifests/anchor.ts';
import { recordAt } from '../../domain/manifests/object.ts';
import { asStatus } from '../../domain/status/status-change.ts';
import type { OpenTarget } from './open-target.ts';

/** UID of a component's anchor in a namespace of the target; undefined when there is none. */
export async function findAnchor(
  client: ClusterClient,
  resource: ComponentResource,
  namespace: string,
): Promise<string | undefined> {
  const anchor = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: anchorName(resource.ref) };
  const found = await client.get(anchor, { metadataOnly: true });
  return found?.metadata.annotations?.[wireNames.anchorAnnotation] === 'true'
    ? found.metadata.uid
    : undefined;
}

/**
 * The resource's own namespace, when `spec.clusterProfileRef` of 1.22 was installed into it: that installation is kept
 * where it is. Undefined for every other resource, and for one whose namespace was chosen before.
 */
export async function findInstallationInPlace(
  resource: ComponentResource,
  target: OpenTarget,
): Promise<string | undefined> {
  const { namespace } = resource.ref;
  if (target.local || asStatus(resource.status).target !== undefined) return undefined;
  const spec = recordAt(resource.object, 'spec');
  const old = recordAt(spec, 'clusterProfileRef')['name'] !== undefined;
  if (!old || namespace === target.identity.installNamespace) return undefined;
  return (await findAnchor(target.client, resource, namespace)) === undefined ? undefined : namespace;
}
