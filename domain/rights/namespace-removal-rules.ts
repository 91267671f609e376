import type { ManifestObject } from '../manifests/object.ts';
import { listAt, stringAt } from '../manifests/object.ts';
import type { PolicyRule } from './policy-rule.ts';
import { policyRule } from './policy-rule.ts';

/** Kinds of Kubernetes that a namespace can hold and that can be listed. */
const namespacedResources: Readonly<Record<string, readonly string[]>> = {
  '': [
    'configmaps',
    'endpoints',
    'events',
    'limitranges',
    'persistentvolumeclaims',
    'pods',
    'podtemplates',
    'replicationcontrollers',
    'resourcequotas',
    'secrets',
    'serviceaccounts',
    'services',
  ],
  apps: ['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  autoscaling: ['horizontalpodautoscalers'],
  batch: ['cronjobs', 'jobs'],
  'coordination.k8s.io': ['leases'],
  'discovery.k8s.io': ['endpointslices'],
  'events.k8s.io': ['events'],
  'networking.k8s.io': ['ingresses', 'networkpolicies'],
  policy: ['poddisruptionbudgets'],
  'rbac.authorization.k8s.io': ['rolebindings', 'roles'],
  'resource.k8s.io': ['resourceclaims', 'resourceclaimtemplates'],
  'storage.k8s.io': ['csistoragecapacities'],
};

/**
 * The rights to look into an install namespace before it is removed: to list every kind of Kubernetes and of the
 * releases that it can hold, Secrets included. Kinds of other projects on a spoke need a rule of their own; a kind that
 * may not be listed keeps the namespace.
 */
export function namespaceRemovalRules(objects: readonly ManifestObject[]): readonly PolicyRule[] {
  const resources = new Map(
    Object.entries(namespacedResources).map(([group, plurals]) => [group, new Set(plurals)]),
  );
  for (const crd of objects.filter(isNamespacedDefinition)) {
    const group = stringAt(crd, 'spec', 'group') ?? '';
    const known = resources.get(group) ?? new Set();
    known.add(stringAt(crd, 'spec', 'names', 'plural') ?? '');
    resources.set(group, known);
  }
  return [...resources]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, plurals]) => policyRule(group, plurals, ['list']));
}

function isNamespacedDefinition(object: ManifestObject): boolean {
  return (
    object.kind === 'CustomResourceDefinition' &&
    stringAt(object, 'spec', 'scope') === 'Namespaced' &&
    listAt(object, 'spec', 'versions').length > 0
  );
}
