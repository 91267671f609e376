import { setAt } from '../manifests/edit.ts';
import type { Transform } from '../manifests/transform.ts';
import { isAutoscaled, raiseAutoscaler } from './autoscaling.ts';
import { workloadOverrides } from './override-list.ts';

/** The eventing controller scales it between 0 and 1. */
const withoutHighAvailability = 'pingsource-mt-adapter';

/**
 * Sets the replicas of `spec.high-availability` on Deployments, and as lower limit on HorizontalPodAutoscalers.
 * Autoscaled Deployments are left to their autoscaler, and an object is left alone when an override of its own name
 * sets replicas. An override for `mt-broker-ingress` does not protect `broker-ingress-hpa`, whose name differs.
 */
export const highAvailability: Transform = (object, { spec }) => {
  const replicas = spec['high-availability']?.replicas;
  const { name = '' } = object.metadata;
  const overridden = workloadOverrides(spec).some(
    (entry) => entry.replicas !== undefined && entry.name === name,
  );
  if (replicas === undefined || overridden) return object;
  if (object.kind === 'HorizontalPodAutoscaler') return raiseAutoscaler(object, replicas);
  if (object.kind !== 'Deployment') return object;
  return name === withoutHighAvailability || isAutoscaled(name)
    ? object
    : setAt(object, ['spec', 'replicas'], replicas);
};
