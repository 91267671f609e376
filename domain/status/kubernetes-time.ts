/** A time in the form that Kubernetes stores: UTC, whole seconds. */
export function kubernetesTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The same with microseconds, as Leases store it. */
export function kubernetesMicroTime(date: Date): string {
  return date.toISOString().replace(/Z$/, '000Z');
}
