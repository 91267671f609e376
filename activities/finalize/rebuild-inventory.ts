import type { ClusterClient, ListableKind } from '../../adapters/kubernetes/cluster-client.ts';
import { componentApi, componentKinds, formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { isOperatorError } from '../../domain/errors.ts';
import type { Inventory, InventoryEntry } from '../../domain/manifests/inventory.ts';
import { inventoryTarget, isInventoried } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { OpenTarget } from '../pass/open-target.ts';
import { isMarked } from './our-mark.ts';
import type { RemovedComponent } from './removed-component.ts';
import type { Mark } from './our-mark.ts';

/** Finds what is ours when both copies of the inventory are lost: by name label, and of those only marked or owned ones. */
export async function rebuildInventory(
  component: RemovedComponent,
  target: OpenTarget,
  more: Pick<Mark, 'goOperator'> = {},
): Promise<Inventory> {
  const { ref, uid, anchorUID } = component;
  const ours = { ...more, kind: ref.kind, uid, anchorUID };
  const kinds = (await target.client.listableKinds()).filter((kind) => kind.kind !== 'Event');
  const lists = await Promise.all(kinds.map((kind) => listOurs(target.client, kind, ours)));
  return {
    component: formatComponentRef(ref),
    uid,
    target: inventoryTarget(target.identity),
    installNamespace: target.identity.installNamespace,
    anchorUID,
    version: component.version,
    digest: '',
    entries: lists.flat(),
  };
}

async function listOurs(
  client: ClusterClient,
  type: ListableKind,
  ours: Mark & { readonly kind: ComponentKind },
): Promise<readonly InventoryEntry[]> {
  const labelSelector = `${wireNames.componentLabel}=${componentApi[ours.kind].nameLabel}`;
  const objects = await listAllowed(client, type, labelSelector);
  return objects
    .filter((object) => isInventoried(object) && isMarked(object, ours) && !isDerived(object))
    .map((object) => entryOf(object));
}

/** What an anchor or a resource of ours does not own is made by a controller, which copies labels and annotations. */
function isDerived(object: ManifestObject): boolean {
  const controller = (object.metadata.ownerReferences ?? []).find((owner) => owner.controller === true);
  return controller !== undefined && !ownerKinds.has(controller.kind);
}

const ownerKinds: ReadonlySet<string> = new Set([...componentKinds, 'ConfigMap']);

/** Stands for all kinds of a group whose own server is down; no component has any of those. */
const anyKind = '*';

/** A kind that we may not even list was not written by us; what of it is ours goes with its owner. */
async function listAllowed(
  client: ClusterClient,
  { apiVersion, kind }: ListableKind,
  labelSelector: string,
): Promise<readonly ManifestObject[]> {
  try {
    return await client.list(apiVersion, kind, { labelSelector, metadataOnly: true });
  } catch (error) {
    if (kind === anyKind || isOperatorError(error, 'SpokeForbidden')) return [];
    throw error;
  }
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
