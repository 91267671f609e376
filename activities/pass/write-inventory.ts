import type { InventoryStore } from '../../adapters/target/inventory-store.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import type { Inventory } from '../../domain/manifests/inventory.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { OpenTarget } from './open-target.ts';

/** The two copies of one component's inventory; each takes what it read last as present when it writes. */
export interface InventoryCopies {
  readonly target: InventoryStore;
  /** On the hub. */
  readonly mirror: InventoryStore;
}

export function inventoryCopies(
  deps: ActivityDependencies,
  target: OpenTarget,
  component: { readonly ref: ComponentRef; readonly uid: string },
): InventoryCopies {
  const { ref, uid } = component;
  return { target: deps.target.inventory(target.client, ref), mirror: deps.target.mirror(ref, uid) };
}

/** Writes what was learned of the target into both copies; writes nothing where it is known. */
export async function writeInventory(copies: InventoryCopies, inventory: Inventory): Promise<void> {
  await Promise.all([copies.target.write(inventory), copies.mirror.write(inventory)]);
}
