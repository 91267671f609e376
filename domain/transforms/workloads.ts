import type { WorkloadOverride } from '../api/workload-override.ts';
import { mergeAt, setAt } from '../manifests/edit.ts';
import type { ManifestObject } from '../manifests/object.ts';
import type { EnvironmentVariable } from '../manifests/pod-template.ts';
import { mapContainers, podSpecPath, podTemplatePath, withEnvironment } from '../manifests/pod-template.ts';
import type { Transform } from '../manifests/transform.ts';
import { autoscalerName, isAutoscaled, raiseAutoscaler } from './autoscaling.ts';
import { withResources } from './deprecated-resources.ts';
import { workloadOverrides } from './override-list.ts';
import { withProbes } from './probes.ts';

/**
 * Applies the overrides of `spec.deployments`, then of `spec.workloads`, in their order. Jobs are matched by their
 * generateName, so one that has a name of its own cannot be overridden; DaemonSets cannot either.
 */
export const workloads: Transform = (object, { spec }) =>
  workloadOverrides(spec).reduce((current, entry) => withOverride(current, entry), object);

function withOverride(object: ManifestObject, entry: WorkloadOverride): ManifestObject {
  if (object.kind === 'HorizontalPodAutoscaler') {
    const scales = object.metadata.name === autoscalerName(entry.name);
    return scales && entry.replicas !== undefined ? raiseAutoscaler(object, entry.replicas) : object;
  }
  return overriddenName(object) === entry.name ? withPods(withReplicas(object, entry), entry) : object;
}

/** The name an override entry uses for a workload; undefined for what cannot be overridden. */
export function overriddenName({ kind, metadata }: ManifestObject): string | undefined {
  switch (kind) {
    case 'Deployment':
    case 'StatefulSet':
      return metadata.name;
    case 'Job':
      return metadata.generateName;
    default:
      return undefined;
  }
}

function withReplicas(object: ManifestObject, { name, replicas }: WorkloadOverride): ManifestObject {
  return object.kind === 'Job' || replicas === undefined || isAutoscaled(name)
    ? object
    : setAt(object, ['spec', 'replicas'], replicas);
}

function withPods(object: ManifestObject, entry: WorkloadOverride): ManifestObject {
  const scheduled = withScheduling(withMetadata(object, entry), entry);
  const sized = withEnvironments(withResources(scheduled, entry.resources), entry);
  const probed = withProbes(sized, 'readinessProbe', entry.readinessProbes);
  return withHostNetwork(withProbes(probed, 'livenessProbe', entry.livenessProbes), entry);
}

function withMetadata(object: ManifestObject, { labels, annotations }: WorkloadOverride): ManifestObject {
  return [['metadata'], [...podTemplatePath, 'metadata']].reduce(
    (current, path) =>
      mergeAt(mergeAt(current, [...path, 'labels'], labels), [...path, 'annotations'], annotations),
    object,
  );
}

function withScheduling(object: ManifestObject, entry: WorkloadOverride): ManifestObject {
  const { nodeSelector = {}, topologySpreadConstraints = [], tolerations = [], affinity } = entry;
  const fields = {
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(topologySpreadConstraints.length > 0 && { topologySpreadConstraints }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(affinity !== undefined && { affinity }),
  };
  return mergeAt(object, podSpecPath, fields);
}

function withEnvironments(object: ManifestObject, { env = [] }: WorkloadOverride): ManifestObject {
  if (env.length === 0) return object;
  return mapContainers(object, (container) => {
    const override = env.find((entry) => entry.container === container.name);
    const variables: readonly EnvironmentVariable[] = override?.envVars ?? [];
    return withEnvironment(container, variables);
  });
}

function withHostNetwork(object: ManifestObject, { hostNetwork }: WorkloadOverride): ManifestObject {
  if (hostNetwork === undefined) return object;
  return mergeAt(object, podSpecPath, {
    hostNetwork,
    ...(hostNetwork && { dnsPolicy: 'ClusterFirstWithHostNet' }),
  });
}
