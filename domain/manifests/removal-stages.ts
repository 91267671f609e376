import type { InventoryEntry } from './inventory.ts';

export interface RemovalStages {
  /** In the order of removal; all entries of a stage go at once. */
  readonly objects: readonly { readonly name: string; readonly entries: readonly InventoryEntry[] }[];
  /** Last, and only if we made them and nothing foreign is in them. */
  readonly namespaces: readonly InventoryEntry[];
}

const webhookKinds: ReadonlySet<string> = new Set([
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'APIService',
]);
const accessKinds: ReadonlySet<string> = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'ServiceAccount',
]);

/**
 * The order in which entries are removed. Webhook configurations go first: nearly all fail closed, and would refuse
 * every write once their server is gone. Access goes last, because controllers may still need it to finish; aggregated
 * roles after the roles that they gather, because their controller writes them once more for each of those.
 */
export function removalStages(entries: readonly InventoryEntry[]): RemovalStages {
  const webhooks: InventoryEntry[] = [];
  const access: InventoryEntry[] = [];
  const aggregated: InventoryEntry[] = [];
  const namespaces: InventoryEntry[] = [];
  const rest: InventoryEntry[] = [];
  for (const entry of entries) {
    if (webhookKinds.has(entry.kind)) webhooks.push(entry);
    else if (entry.aggregated === true) aggregated.push(entry);
    else if (accessKinds.has(entry.kind)) access.push(entry);
    else if (entry.kind === 'Namespace' && entry.apiVersion === 'v1') namespaces.push(entry);
    else rest.push(entry);
  }
  return {
    objects: [
      { name: 'webhooks', entries: webhooks },
      { name: 'workloads and configuration', entries: rest },
      { name: 'access', entries: access },
      { name: 'aggregated roles', entries: aggregated },
    ],
    namespaces,
  };
}
