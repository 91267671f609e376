import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { ClusterClient, ListableKind } from '../../adapters/kubernetes/cluster-client.ts';
import { componentApi, formatComponentRef } from '../../domain/api/component-ref.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import type { Inventory, InventoryEntry } from '../../domain/manifests/inventory.ts';
import { isInventoried } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { asStatus } from '../../domain/status/status-change.ts';
import type { OpenTarget } from '../pass/open-target.ts';

/** Finds what is ours when both copies of the inventory are lost: by name label, and of those only marked or owned ones. */
export async function rebuildInventory(resource: ComponentResource, target: OpenTarget): Promise<Inventory> {
  const anchorUID = asStatus(resource.status).target?.anchorUID ?? '';
  const kinds = (await target.client.listableKinds()).filter((kind) => kind.kind !== 'Event');
  const lists = await Promise.all(
    kinds.map((kind) => listOurs(target.client, kind, { resource, anchorUID })),
  );
  return {
    component: formatComponentRef(resource.ref),
    uid: resource.uid,
    installNamespace: target.identity.installNamespace,
    anchorUID,
    version: asStatus(resource.status).version ?? '',
    digest: '',
    entries: lists.flat(),
  };
}

async function listOurs(
  client: ClusterClient,
  type: ListableKind,
  ours: { readonly resource: ComponentResource; readonly anchorUID: string },
): Promise<readonly InventoryEntry[]> {
  const labelSelector = `${wireNames.componentLabel}=${componentApi[ours.resource.ref.kind].nameLabel}`;
  const objects = await client.list(type.apiVersion, type.kind, { labelSelector, metadataOnly: true });
  return objects
    .filter((object) => isInventoried(object) && isOurs(object, ours.resource.uid, ours.anchorUID))
    .map((object) => entryOf(object));
}

function isOurs(object: ManifestObject, uid: string, anchorUID: string): boolean {
  if (object.metadata.annotations?.[wireNames.ownerAnnotation] === uid) return true;
  if (anchorUID === '') return false;
  return (object.metadata.ownerReferences ?? []).some((owner) => owner.uid === anchorUID);
}

function entryOf(object: ManifestObject): InventoryEntry {
  const { namespace, name, uid, creationTimestamp } = object.metadata;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: namespace ?? '',
    name: name ?? '',
    uid,
    since: creationTimestamp ?? '',
  };
}
