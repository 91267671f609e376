/** The two kinds of component. */
export type ComponentKind = 'KnativeServing' | 'KnativeEventing';

export const componentKinds: readonly ComponentKind[] = ['KnativeServing', 'KnativeEventing'];

/** Names one resource on the hub: the identity used in workflow ids, logs and messages. */
export interface ComponentRef {
  readonly kind: ComponentKind;
  readonly namespace: string;
  readonly name: string;
}

/** API facts of the two kinds. Wire names: add, never rename. */
export const componentApi = {
  group: 'operator.knative.dev',
  version: 'v1beta1',
  apiVersion: 'operator.knative.dev/v1beta1',
  KnativeServing: {
    plural: 'knativeservings',
    finalizer: 'knativeservings.operator.knative.dev',
    defaultNamespace: 'knative-serving',
    nameLabel: 'knative-serving',
  },
  KnativeEventing: {
    plural: 'knativeeventings',
    finalizer: 'knativeeventings.operator.knative.dev',
    defaultNamespace: 'knative-eventing',
    nameLabel: 'knative-eventing',
  },
} as const;

/** `KnativeServing/namespace/name`. */
export function formatComponentRef(ref: ComponentRef): string {
  return `${ref.kind}/${ref.namespace}/${ref.name}`;
}

/** Reads what {@link formatComponentRef} wrote; undefined for anything else. */
export function parseComponentRef(text: string): ComponentRef | undefined {
  const [kind, namespace, name, ...rest] = text.split('/');
  if (kind !== 'KnativeServing' && kind !== 'KnativeEventing') return undefined;
  if (namespace === undefined || name === undefined || rest.length > 0) return undefined;
  return { kind, namespace, name };
}
