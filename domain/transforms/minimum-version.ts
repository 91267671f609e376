import { isWorkload, mapAllContainers, withEnvironment } from '../manifests/pod-template.ts';
import type { Transform } from '../manifests/transform.ts';

const variable = 'KUBERNETES_MIN_VERSION';

/** Hands the operator's own lower limit for the Kubernetes version to every container, init containers included. */
export const minimumVersion: Transform = (object, { kubernetesMinVersion: value = '' }) =>
  value === '' || !isWorkload(object)
    ? object
    : mapAllContainers(object, (container) => withEnvironment(container, [{ name: variable, value }]));
