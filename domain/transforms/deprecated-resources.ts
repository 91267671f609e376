import type { ResourceOverride } from '../api/workload-override.ts';
import { mergeAt } from '../manifests/edit.ts';
import type { JsonRecord, ManifestObject } from '../manifests/object.ts';
import type { Container } from '../manifests/pod-template.ts';
import { mapContainers } from '../manifests/pod-template.ts';
import type { Transform } from '../manifests/transform.ts';
import { workloadOverrides } from './override-list.ts';

/**
 * The deprecated `spec.resources`: reaches every Deployment with a container of that name, except those for which an
 * override of their own sets resources.
 */
export const deprecatedResources: Transform = (object, { spec }) => {
  const { name } = object.metadata;
  const overridden = workloadOverrides(spec).some(
    (entry) => entry.name === name && (entry.resources ?? []).length > 0,
  );
  return object.kind !== 'Deployment' || overridden ? object : withResources(object, spec.resources);
};

/** Merges limits and requests by resource name into the containers; of several entries for one the first counts. */
export function withResources(
  object: ManifestObject,
  overrides: readonly ResourceOverride[] | undefined,
): ManifestObject {
  if (overrides === undefined || overrides.length === 0) return object;
  return mapContainers(object, (container) => {
    const override = overrides.find((entry) => entry.container === container.name);
    return override === undefined ? container : merged(container, override);
  });
}

function merged(container: Container, override: ResourceOverride): JsonRecord {
  const limited = mergeAt(container, ['resources', 'limits'], override.limits);
  return mergeAt(limited, ['resources', 'requests'], override.requests);
}
