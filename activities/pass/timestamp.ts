import { kubernetesTime } from '../../domain/status/kubernetes-time.ts';

/** Now in the form that Kubernetes stores: UTC, whole seconds. */
export function timestamp(): string {
  return kubernetesTime(new Date());
}
