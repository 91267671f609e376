import type { ComponentRef } from '../../domain/api/component-ref.ts';
import type { Inventory } from '../../domain/manifests/inventory.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { OpenTarget } from './open-target.ts';

/** Writes what was learned of the target into both copies of the inventory; writes nothing where it is known. */
export async function writeInventory(
  deps: ActivityDependencies,
  target: OpenTarget,
  ref: ComponentRef,
  inventory: Inventory,
): Promise<void> {
  await deps.target.inventory(target.client, ref).write(inventory);
  await deps.target.mirror(ref, inventory.uid).write(inventory);
}
