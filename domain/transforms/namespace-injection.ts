import { mapListAt, removeAt, setAt } from '../manifests/edit.ts';
import { isClusterScoped } from '../manifests/cluster-scoped.ts';
import type { ManifestObject } from '../manifests/object.ts';
import { isRecord, recordAt, stringAt } from '../manifests/object.ts';
import type { Transform } from '../manifests/transform.ts';

/**
 * Moves an object into the install namespace, whatever namespace its manifest names: its own namespace, or the name of
 * a Namespace, and every reference to a namespace that bindings, webhooks, APIServices and CRD conversions hold. Bindings
 * without subjects and webhook configurations without webhooks are left as they are. A webhook that watches the
 * namespace of its own service by name follows as well; the Go operator leaves it watching the old one.
 */
export const namespaceInjection: Transform = (object, { installNamespace, clusterScopedKinds }) => {
  const moved = withReferences(object, installNamespace);
  if (!isClusterScoped(object, clusterScopedKinds)) {
    return setAt(moved, ['metadata', 'namespace'], installNamespace);
  }
  const bare = removeAt(moved, ['metadata', 'namespace']);
  return object.kind === 'Namespace' ? setAt(bare, ['metadata', 'name'], installNamespace) : bare;
};

function withReferences(object: ManifestObject, namespace: string): ManifestObject {
  switch (object.kind) {
    case 'ClusterRoleBinding':
    case 'RoleBinding':
      return mapListAt(object, ['subjects'], (subject) => withNamespace(subject, [], namespace));
    case 'ValidatingWebhookConfiguration':
    case 'MutatingWebhookConfiguration':
      return mapListAt(object, ['webhooks'], (webhook) =>
        withNamespace(withSelector(webhook, namespace), ['clientConfig', 'service'], namespace),
      );
    case 'APIService':
      return withNamespace(object, ['spec', 'service'], namespace);
    case 'CustomResourceDefinition':
      return withNamespace(object, conversionService(object), namespace);
    default:
      return object;
  }
}

/** Eventing validates its ConfigMaps by a webhook that selects its namespace by name. */
function withSelector(webhook: unknown, namespace: string): unknown {
  const bundled = stringAt(webhook, 'clientConfig', 'service', 'namespace');
  if (!isRecord(webhook) || bundled === undefined) return webhook;
  return mapListAt(webhook, ['namespaceSelector', 'matchExpressions'], (expression) =>
    isRecord(expression) && expression['key'] === 'kubernetes.io/metadata.name'
      ? mapListAt(expression, ['values'], (value) => (value === bundled ? namespace : value))
      : expression,
  );
}

function conversionService(crd: ManifestObject): readonly string[] {
  return crd.apiVersion.endsWith('/v1')
    ? ['spec', 'conversion', 'webhook', 'clientConfig', 'service']
    : ['spec', 'conversion', 'webhookClientConfig', 'service'];
}

function withNamespace<T>(holder: T, path: readonly string[], namespace: string): T {
  if (!isRecord(holder) || !('namespace' in recordAt(holder, ...path))) return holder;
  return setAt(holder, [...path, 'namespace'], namespace);
}
