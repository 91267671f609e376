import type { ActivityDependencies } from '../dependencies.ts';
import type { OpenTarget } from '../pass/open-target.ts';
import type { RemovedComponent } from './removed-component.ts';

/**
 * Hands what a component recorded to the one that owns its target now, which keeps what it wants of it and prunes the
 * rest. The mirror goes last. Idempotent; rejects with NotFound while the owner has no inventory yet.
 */
export async function joinInventory(
  deps: ActivityDependencies,
  component: RemovedComponent,
  target: OpenTarget,
): Promise<void> {
  const { ref, uid } = component;
  const mirror = deps.target.mirror(ref, uid);
  const recorded = await mirror.read();
  if (recorded === undefined) return;
  const sameCluster = recorded.target.clusterUID === target.identity.clusterUID;
  if (sameCluster && recorded.entries.length > 0) {
    await deps.target.inventory(target.client, ref).join(recorded);
  }
  await mirror.remove();
}
