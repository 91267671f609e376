import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';

const namespace = 'knative-serving';

/** UIDs of the Pods of Deployments and StatefulSets on a spoke, sorted: equal before and after means that none was restarted. */
export async function podsOf(spoke: Cluster, at = namespace): Promise<readonly string[]> {
  const path = 'jsonpath={range .items[*]}{.metadata.ownerReferences[0].kind}/{.metadata.uid} {end}';
  const text = await kubectl(spoke, ['get', 'pods', '-n', at, '-o', path]);
  return text
    .split(' ')
    .filter((pod) => /^(ReplicaSet|StatefulSet)\//.test(pod))
    .toSorted();
}

/** What the Deployments and StatefulSets that have Pods run on a spoke, by name; a change of it restarts them. */
export async function templatesOf(
  spoke: Cluster,
  at = namespace,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await kubectl(spoke, ['get', 'deployments,statefulsets', '-n', at, '-o', 'json']);
  const { items } = JSON.parse(text) as {
    items: { metadata: { name: string }; spec: { replicas: number; template: object } }[];
  };
  return Object.fromEntries(
    items
      .filter(({ spec }) => spec.replicas > 0)
      .map(({ metadata, spec }) => [metadata.name, { replicas: spec.replicas, template: spec.template }]),
  );
}

/** Names of the distinct owners of the Deployments and ConfigMaps of a component, as `name/uid`. */
export async function ownersOf(spoke: Cluster, at = namespace): Promise<readonly string[]> {
  const path = 'jsonpath={range .items[*].metadata.ownerReferences[*]}{.name}/{.uid} {end}';
  const selector = ['-l', `app.kubernetes.io/name=${at}`];
  const kinds = 'deployments,configmaps,services,serviceaccounts';
  const text = await kubectl(spoke, ['get', kinds, '-n', at, ...selector, '-o', path]);
  return [...new Set(text.trim().split(' '))];
}

/** `name/uid` of the anchors in a namespace of a spoke. */
export async function anchorsOn(spoke: Cluster, at = namespace): Promise<readonly string[]> {
  const path = 'jsonpath={range .items[*]}{.metadata.name}/{.metadata.uid} {end}';
  const selector = ['-l', 'operator.knative.dev/cr-name'];
  const text = await kubectl(spoke, ['get', 'configmaps', '-n', at, ...selector, '-o', path]);
  return text
    .trim()
    .split(' ')
    .filter((name) => name !== '');
}

/** State of the claim of a kind on a spoke; empty when nobody holds it. */
export function claimState(spoke: Cluster, kind: ComponentKind = 'KnativeServing'): Promise<string> {
  return claimField(spoke, kind, 'state');
}

/** UID of the anchor that the claim of Serving on a spoke names. */
export function claimedAnchor(spoke: Cluster): Promise<string> {
  return claimField(spoke, 'KnativeServing', 'anchor-uid');
}

async function claimField(spoke: Cluster, kind: ComponentKind, field: string): Promise<string> {
  const path = `jsonpath={.metadata.annotations.fleet\\.knative\\.dev/claim-${field}}`;
  const lease = ['lease', `knative-fleet-${kind.toLowerCase()}`, '-n', 'default', '--ignore-not-found'];
  return kubectl(spoke, ['get', ...lease, '-o', path]);
}
