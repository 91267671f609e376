/** Now in the form that Kubernetes stores: UTC, whole seconds. */
export function timestamp(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}
