import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { operatorNamespace } from '../../dev/operator/prepare-hub.ts';
import type { Component } from './operator-fleet.ts';

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
}

/** What was recorded as left behind, by any resource of a hub. */
export async function abandonments(hub: Cluster): Promise<readonly Readonly<Record<string, string>>[]> {
  const items = await configMaps(hub, 'fleet.knative.dev/abandoned=true');
  return items.map(({ data }) => data ?? {});
}

/** Names of the mirrors of inventories whose removal is still to be finished. */
export async function pendingCleanups(hub: Cluster): Promise<readonly string[]> {
  const items = await configMaps(hub, 'fleet.knative.dev/cleanup=pending');
  return items.map(({ metadata }) => metadata.name);
}

/** Names of all mirrors of inventories on a hub. */
export async function inventoryMirrors(hub: Cluster): Promise<readonly string[]> {
  const items = await configMaps(hub, 'app.kubernetes.io/managed-by=knative-fleet');
  return items.map(({ metadata }) => metadata.name).filter((name) => name.includes('-inventory-'));
}

/** Reasons of the events about one resource name, each as often as it was recorded differently. */
export async function eventReasons(hub: Cluster, component: Component): Promise<readonly string[]> {
  const path = `jsonpath={.items[?(@.involvedObject.name=="${component.name}")].reason}`;
  const text = await kubectl(hub, ['get', 'events', '-n', component.namespace, '-o', path]);
  return text.split(' ');
}

async function configMaps(hub: Cluster, selector: string): Promise<readonly ConfigMap[]> {
  const text = await kubectl(hub, [
    'get',
    'configmaps',
    '-n',
    operatorNamespace,
    '-l',
    selector,
    '-o',
    'json',
  ]);
  return (JSON.parse(text) as { items: ConfigMap[] }).items;
}
