import type { ManifestObject } from '../manifests/object.ts';
import { recordAt } from '../manifests/object.ts';

/** Workloads that an autoscaler scales: their own replica count is never written. */
const autoscaledWorkloads: ReadonlySet<string> = new Set([
  'webhook',
  'activator',
  '3scale-kourier-gateway',
  'eventing-webhook',
  'mt-broker-ingress',
  'mt-broker-filter',
  'kafka-broker-dispatcher',
  'kafka-source-dispatcher',
  'kafka-channel-dispatcher',
]);

const autoscalerNames: ReadonlyMap<string, string> = new Map([
  ['mt-broker-ingress', 'broker-ingress-hpa'],
  ['mt-broker-filter', 'broker-filter-hpa'],
]);

export function isAutoscaled(workload: string): boolean {
  return autoscaledWorkloads.has(workload);
}

/** Name of the HorizontalPodAutoscaler of a workload. */
export function autoscalerName(workload: string): string {
  return autoscalerNames.get(workload) ?? workload;
}

/**
 * Raises the lower limit of a HorizontalPodAutoscaler to `replicas` and its upper limit by as much; a lower limit that
 * is high enough already stays with its upper limit.
 */
export function raiseAutoscaler(autoscaler: ManifestObject, replicas: number): ManifestObject {
  const spec = recordAt(autoscaler, 'spec');
  const lower = typeof spec['minReplicas'] === 'number' ? spec['minReplicas'] : 0;
  if (lower >= replicas) return autoscaler;
  const upper = spec['maxReplicas'];
  const raised = typeof upper === 'number' ? { maxReplicas: upper + replicas - lower } : {};
  return { ...autoscaler, spec: { ...spec, minReplicas: replicas, ...raised } };
}
