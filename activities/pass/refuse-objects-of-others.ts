import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { componentKinds } from '../../domain/api/component-ref.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { OperatorError } from '../../domain/errors.ts';
import { entryIdentity, entryKey, isInventoried } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { describeIdentity, keyOf } from '../../domain/manifests/object.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/**
 * Serving and Eventing on one target are written by one field manager: the API server would not notice that both want
 * an object. Throws ApplyConflict that names the object and its owner. Of two that come at once, the one whose inventory
 * was written later sees the other's.
 */
export async function refuseObjectsOfOthers(
  deps: ActivityDependencies,
  client: ClusterClient,
  ref: ComponentRef,
  wanted: readonly ManifestObject[],
): Promise<void> {
  const others = componentKinds.filter((kind) => kind !== ref.kind);
  const keys = new Set(wanted.filter(isInventoried).map(keyOf));
  for (const kind of others) {
    const inventory = await deps.target.inventory(client, { ...ref, kind }).read();
    const shared = inventory?.entries.find((entry) => keys.has(entryKey(entry)));
    if (inventory === undefined || shared === undefined) continue;
    throw new OperatorError(
      'ApplyConflict',
      `${describeIdentity(entryIdentity(shared))} is installed by ${inventory.component}; leave it out of ` +
        'spec.additionalManifests and spec.manifests here or there',
    );
  }
}
