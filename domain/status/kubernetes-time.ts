/** A time in the form that Kubernetes stores: UTC, whole seconds. */
export function kubernetesTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
