import type { ManifestObject } from '../manifests/object.ts';
import { mapContainers, withEnvironment } from '../manifests/pod-template.ts';
import type { EventingContext, Transform } from '../manifests/transform.ts';

const workload = 'eventing-webhook';
const variable = 'SINK_BINDING_SELECTION_MODE';

/**
 * Sets the selection mode of SinkBinding in all containers of the eventing webhook: `spec.sinkBindingSelectionMode`,
 * else the value that an override sets there (`workloads` before `deployments`), else `exclusion`.
 */
export const sinkBinding: Transform<EventingContext> = (object, { spec }) => {
  if (object.kind !== 'Deployment' || object.metadata.name !== workload) return object;
  const value = [spec.sinkBindingSelectionMode ?? '', overriddenMode(spec), 'exclusion'].find(
    (mode) => mode !== '',
  );
  return withMode(object, value ?? '');
};

function withMode(object: ManifestObject, value: string): ManifestObject {
  return mapContainers(object, (container) => withEnvironment(container, [{ name: variable, value }]));
}

function overriddenMode({ workloads = [], deployments = [] }: EventingContext['spec']): string {
  const found = [...workloads, ...deployments]
    .filter(({ name }) => name === workload)
    .flatMap(({ env = [] }) => env)
    .filter(({ container }) => container === workload)
    .flatMap(({ envVars = [] }) => envVars)
    .find(({ name }) => name === variable);
  return found?.value ?? '';
}
