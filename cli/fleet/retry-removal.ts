import type { AbandonmentRecord } from '../../adapters/hub/read-abandonments.ts';
import { createHubComponents, onHub } from '../../adapters/hub/components.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { hubInventory } from '../../adapters/target/inventory-store.ts';
import { parseComponentRef } from '../../domain/api/component-ref.ts';
import type { Inventory } from '../../domain/manifests/inventory.ts';
import { CommandError } from '../exit-codes.ts';

/** What came of asking for one removal again. */
export interface RetriedRemoval {
  readonly component: string;
  readonly target: string;
  readonly record: string;
  /** Objects that are going to be removed; 0 when they have to be looked for. */
  readonly objects: number;
}

/**
 * Asks for what a record lists to be removed after all: marks the inventory on the hub, for which the starter runs a
 * workflow that waits for the target however long it takes, removes, and settles the record. Idempotent. Throws
 * CommandError `refused` while the resource still exists: its own removal is not over.
 */
export async function retryRemoval(
  hub: ClusterClient,
  operatorNamespace: string,
  record: AbandonmentRecord,
): Promise<RetriedRemoval> {
  const ref = parseComponentRef(record.component);
  if (ref === undefined) {
    throw new CommandError('failed', `record ${record.name} names no component: "${record.component}"`);
  }
  const present = await createHubComponents(hub).read(ref);
  if (present?.uid === record.uid) {
    throw new CommandError(
      'refused',
      `${record.component} still exists, its own removal is not over; see knative-fleet describe ${record.component}`,
    );
  }
  const mirror = hubInventory(hub, ref, { operatorNamespace, uid: record.uid });
  const known = await onHub(() => mirror.read());
  const inventory = known?.target.clusterUID === record.clusterUID ? known : lostInventory(record);
  await onHub(() => mirror.markPending(inventory));
  return {
    component: record.component,
    target: record.clusterProfile,
    record: record.name,
    objects: inventory.entries.length,
  };
}

/** Without a digest: whoever removes it must look for what is ours. */
function lostInventory(record: AbandonmentRecord): Inventory {
  const { component, uid, clusterUID, server, clusterProfile: profile, installNamespace } = record;
  return {
    component,
    uid,
    target: { clusterUID, server, profile },
    installNamespace,
    anchorUID: '',
    version: '',
    digest: '',
    entries: [],
  };
}
