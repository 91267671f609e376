import { setAt } from '../manifests/edit.ts';
import type { ServingContext, Transform } from '../manifests/transform.ts';

export function securityGuardEnabled(spec: ServingContext['spec']): boolean {
  return spec.security?.securityGuard?.enabled === true;
}

/** Lets the queue proxy mount the pod information that security-guard reads. */
export const securityGuard: Transform<ServingContext> = (object, { spec }) =>
  securityGuardEnabled(spec) && object.kind === 'ConfigMap' && object.metadata.name === 'config-features'
    ? setAt(object, ['data', 'queueproxy.mount-podinfo'], 'allowed')
    : object;
