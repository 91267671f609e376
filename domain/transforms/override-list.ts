import type { WorkloadOverride } from '../api/workload-override.ts';

/** The overrides of a spec in the order they are applied: the deprecated list first, so an entry of `workloads` wins. */
export function workloadOverrides(spec: {
  readonly deployments?: readonly WorkloadOverride[] | undefined;
  readonly workloads?: readonly WorkloadOverride[] | undefined;
}): readonly WorkloadOverride[] {
  return [...(spec.deployments ?? []), ...(spec.workloads ?? [])];
}
