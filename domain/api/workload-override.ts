import { z } from 'zod';

import { Affinity } from './core/affinity.ts';
import { EnvVar } from './core/environment.ts';
import { Quantity } from './core/quantity.ts';
import { Toleration, TopologySpreadConstraint } from './core/scheduling.ts';

const strings = z.record(z.string(), z.string()).optional();

/** Resources of one container; `claims` is accepted and has no effect. */
export const ResourceOverride = z
  .object({
    container: z.string().describe('Name of the container.'),
    limits: z.record(z.string(), Quantity).optional(),
    requests: z.record(z.string(), Quantity).optional(),
    claims: z
      .array(z.object({ name: z.string(), request: z.string().optional() }))
      .optional()
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
      .describe('Accepted and ignored.'),
  })
  .describe('Resources of one container.');
export type ResourceOverride = z.output<typeof ResourceOverride>;

export const EnvOverride = z
  .object({
    container: z.string().describe('Name of the container.'),
    envVars: z.array(EnvVar).optional().describe('Merged into the container by variable name.'),
  })
  .describe('Environment of one container.');
export type EnvOverride = z.output<typeof EnvOverride>;

export const ProbeOverride = z
  .object({
    container: z.string().describe('Name of the container.'),
    initialDelaySeconds: z.int32().optional(),
    timeoutSeconds: z.int32().optional(),
    periodSeconds: z.int32().optional(),
    successThreshold: z.int32().optional(),
    failureThreshold: z.int32().optional(),
    terminationGracePeriodSeconds: z.int().optional(),
  })
  .describe('Timing of a probe of one container.');
export type ProbeOverride = z.output<typeof ProbeOverride>;

/** Accepted so that old resources pass strict decoding; no effect. */
const VolumeMount = z
  .object({
    mountPath: z.string(),
    mountPropagation: z.string().optional(),
    name: z.string(),
    readOnly: z.boolean().optional(),
    recursiveReadOnly: z.string().optional(),
    subPath: z.string().optional(),
    subPathExpr: z.string().optional(),
  })
  .describe('A volume mount.');

/** What a resource can change about one Deployment, StatefulSet, Job or their HorizontalPodAutoscaler. */
export const WorkloadOverride = z
  .object({
    name: z
      .string()
      .describe('metadata.name of a Deployment or StatefulSet, metadata.generateName of a Job.'),
    labels: strings.describe('Added to the workload and to its pods.'),
    annotations: strings.describe('Added to the workload and to its pods.'),
    version: z.string().optional().describe('Accepted and ignored.'),
    replicas: z.int32().optional().describe('Replica count; the lower limit where an autoscaler scales.'),
    nodeSelector: strings.describe('Replaces the node selector when not empty.'),
    topologySpreadConstraints: z
      .array(TopologySpreadConstraint)
      .optional()
      .describe('Replaces the constraints when not empty.'),
    tolerations: z.array(Toleration).optional().describe('Replaces the tolerations when not empty.'),
    affinity: Affinity.optional().describe('Replaces the affinity.'),
    resources: z.array(ResourceOverride).optional().describe('Container resources, merged by resource name.'),
    env: z.array(EnvOverride).optional().describe('Environment variables by container.'),
    readinessProbes: z.array(ProbeOverride).optional(),
    livenessProbes: z.array(ProbeOverride).optional(),
    hostNetwork: z.boolean().optional().describe('Runs the pods in the network of their node.'),
    volumeMounts: z.array(VolumeMount).optional().describe('Accepted and ignored.'),
  })
  .describe('Overrides for one workload.');
export type WorkloadOverride = z.output<typeof WorkloadOverride>;
