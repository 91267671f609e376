import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import { entryIdentity } from '../../domain/manifests/inventory.ts';
import { describeIdentity } from '../../domain/manifests/object.ts';
import { asStatus } from '../../domain/status/status-change.ts';
import type { ActivityDependencies } from '../dependencies.ts';

const unknownTarget = { profile: 'the target', server: '', clusterUID: '', installNamespace: '' };

/** Records exactly what stays behind on the target, and says so in an event. Must succeed before a finalizer goes. */
export async function recordRemaining(
  deps: ActivityDependencies,
  resource: ComponentResource,
  decision: {
    readonly reason: string;
    readonly requestedBy: string;
    readonly remaining: readonly InventoryEntry[];
  },
): Promise<void> {
  const target = { ...unknownTarget, ...asStatus(resource.status).target };
  const remaining = decision.remaining.map((entry) => describeIdentity(entryIdentity(entry)));
  await deps.hub.abandonments.write({
    ref: resource.ref,
    uid: resource.uid,
    profile: target.profile,
    server: target.server,
    clusterUID: target.clusterUID,
    installNamespace: target.installNamespace,
    why: decision.reason,
    requestedBy: decision.requestedBy,
    remaining,
  });
  const message = `${String(remaining.length)} objects stay behind on ${target.profile}: ${decision.reason}`;
  await deps.hub.events.record(resource.ref, resource.uid, { type: 'Warning', reason: 'Abandoned', message });
}
