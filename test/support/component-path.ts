/** Path of a resource of the operator on the API server. */
export function componentPath(component: {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}): string {
  const { kind, namespace, name } = component;
  return `/apis/operator.knative.dev/v1beta1/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`;
}
