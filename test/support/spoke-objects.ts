import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';

const namespace = 'knative-serving';

/** UIDs of the Pods of Deployments of Serving on a spoke, sorted: equal before and after means that none was restarted. */
export async function podsOf(spoke: Cluster, at = namespace): Promise<readonly string[]> {
  const path = 'jsonpath={range .items[*]}{.metadata.ownerReferences[0].kind}/{.metadata.uid} {end}';
  const text = await kubectl(spoke, ['get', 'pods', '-n', at, '-o', path]);
  return text
    .split(' ')
    .filter((pod) => pod.startsWith('ReplicaSet/'))
    .toSorted();
}

/** What the Deployments of Serving run on a spoke, by name; a change of it restarts Pods. */
export async function templatesOf(spoke: Cluster): Promise<Readonly<Record<string, unknown>>> {
  const text = await kubectl(spoke, ['get', 'deployments', '-n', namespace, '-o', 'json']);
  const { items } = JSON.parse(text) as {
    items: { metadata: { name: string }; spec: { replicas: number; template: object } }[];
  };
  return Object.fromEntries(
    items.map(({ metadata, spec }) => [metadata.name, { replicas: spec.replicas, template: spec.template }]),
  );
}

/** Names of the distinct owners of the Deployments and ConfigMaps of Serving, as `name/uid`. */
export async function ownersOf(spoke: Cluster): Promise<readonly string[]> {
  const path = 'jsonpath={range .items[*].metadata.ownerReferences[*]}{.name}/{.uid} {end}';
  const selector = ['-l', 'app.kubernetes.io/name=knative-serving'];
  const kinds = 'deployments,configmaps,services,serviceaccounts';
  const text = await kubectl(spoke, ['get', kinds, '-n', namespace, ...selector, '-o', path]);
  return [...new Set(text.trim().split(' '))];
}

/** `name/uid` of the anchors of Serving on a spoke. */
export async function anchorsOn(spoke: Cluster, at = namespace): Promise<readonly string[]> {
  const path = 'jsonpath={range .items[*]}{.metadata.name}/{.metadata.uid} {end}';
  const selector = ['-l', 'operator.knative.dev/cr-name'];
  const text = await kubectl(spoke, ['get', 'configmaps', '-n', at, ...selector, '-o', path]);
  return text
    .trim()
    .split(' ')
    .filter((name) => name !== '');
}

/** State of the claim of Serving on a spoke; empty when nobody holds it. */
export async function claimState(spoke: Cluster): Promise<string> {
  const path = 'jsonpath={.metadata.annotations.fleet\\.knative\\.dev/claim-state}';
  const lease = ['lease', 'knative-fleet-knativeserving', '-n', 'default', '--ignore-not-found'];
  return kubectl(spoke, ['get', ...lease, '-o', path]);
}
