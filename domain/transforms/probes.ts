import type { ProbeOverride } from '../api/workload-override.ts';
import { OperatorError } from '../errors.ts';
import { removeAt, setAt } from '../manifests/edit.ts';
import type { ManifestObject } from '../manifests/object.ts';
import { describeIdentity, identityOf, isRecord } from '../manifests/object.ts';
import type { Container } from '../manifests/pod-template.ts';
import { mapContainers } from '../manifests/pod-template.ts';

/**
 * Changes the timing of one probe of the containers that an override names. Numbers other than 0 replace the old ones;
 * an override without any number removes the probe. Throws SpecInvalid for numbers on a container without that probe:
 * the probe would have no handler, and the API server would refuse the workload.
 */
export function withProbes(
  object: ManifestObject,
  field: 'readinessProbe' | 'livenessProbe',
  overrides: readonly ProbeOverride[] | undefined,
): ManifestObject {
  if (overrides === undefined || overrides.length === 0) return object;
  return mapContainers(object, (container) => {
    const override = overrides.find((entry) => entry.container === container.name);
    if (override === undefined) return container;
    const timing = timingOf(override);
    if (Object.keys(timing).length === 0) return removeAt(container, [field]);
    const probe = container[field];
    if (!isRecord(probe)) throw withoutProbe(object, field, container);
    return setAt(container, [field], { ...probe, ...timing });
  });
}

function timingOf(override: ProbeOverride): Record<string, number> {
  const { container: _container, terminationGracePeriodSeconds: grace, ...numbers } = override;
  const timing: Record<string, number> = grace === undefined ? {} : { terminationGracePeriodSeconds: grace };
  for (const [key, value] of Object.entries(numbers)) {
    if (value !== undefined && value !== 0) timing[key] = value;
  }
  return timing;
}

function withoutProbe(object: ManifestObject, field: string, { name }: Container): OperatorError {
  return new OperatorError(
    'SpecInvalid',
    `spec.workloads changes the ${field} of container ${name} of ${describeIdentity(identityOf(object))}, which has none; remove the entry from ${field}s`,
  );
}
