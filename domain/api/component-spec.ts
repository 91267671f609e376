import { z } from 'zod';

import { IntOrString } from './core/quantity.ts';
import { atomicMap, LabelSelector } from './core/label-selector.ts';
import { ClusterProfileRef } from './destination-fields.ts';
import { Duration, durationMs } from './duration.ts';
import { ResourceOverride, WorkloadOverride } from './workload-override.ts';

const strings = z.record(z.string(), z.string()).optional();

/** A place to read manifests from; the field is spelled in upper case on the wire. */
export const ManifestLocation = z
  .object({ URL: z.string().describe('Location; ${VERSION} stands for the version.') })
  .describe('A place to read manifests from.');
export type ManifestLocation = z.output<typeof ManifestLocation>;

/** Images of what is installed. */
export const Registry = z
  .object({
    default: z.string().optional().describe('Image template; ${NAME} stands for the name of the container.'),
    override: strings.describe('Image by container, workload/container or environment variable.'),
    imagePullSecrets: z
      .array(z.object({ name: z.string().default('') }).meta(atomicMap))
      .optional()
      .describe('Secrets to pull the images with.'),
  })
  .describe('Where images come from.');
export type Registry = z.output<typeof Registry>;

export const ServiceOverride = z
  .object({
    name: z.string().describe('Name of the Service.'),
    labels: strings,
    annotations: strings,
    selector: strings,
  })
  .describe('Overrides for one Service, merged key by key.');
export type ServiceOverride = z.output<typeof ServiceOverride>;

/** Only the two numbers have an effect. */
export const PodDisruptionBudgetOverride = z
  .object({
    name: z.string().describe('Name of the PodDisruptionBudget.'),
    minAvailable: IntOrString.optional(),
    maxUnavailable: IntOrString.optional(),
    selector: LabelSelector.optional().describe('Accepted and ignored.'),
    unhealthyPodEvictionPolicy: z.string().optional().describe('Accepted and ignored.'),
  })
  .describe('Overrides for one PodDisruptionBudget.');
export type PodDisruptionBudgetOverride = z.output<typeof PodDisruptionBudgetOverride>;

/** What happens to an installation when its resource is deleted. */
export const Deletion = z
  .object({
    policy: z
      .enum(['Delete', 'Deferred', 'Retain'])
      .default('Delete')
      .describe(
        'Delete: the resource stays until everything is removed. Deferred: the resource goes at once and the removal follows. Retain: everything stays and the next resource adopts it.',
      ),
    deadline: Duration.optional().describe(
      'How long after the deletion to give up on an unreachable cluster and record what remains, such as 72h; never when absent.',
    ),
  })
  .describe('What happens to the installation when the resource is deleted.');
export type Deletion = z.output<typeof Deletion>;

/** Shortest `spec.drift.interval`. The rule is the same one for the API server and for the code. */
export const shortestDriftInterval = '10s';

/** How often the installation is compared with what was installed. */
export const Drift = z
  .object({
    interval: Duration.refine((text) => durationMs(text) >= durationMs(shortestDriftInterval), {
      message: `must be ${shortestDriftInterval} or longer`,
    })
      .optional()
      .meta({
        'x-kubernetes-validations': [
          {
            rule: `duration(self) >= duration('${shortestDriftInterval}')`,
            message: `spec.drift.interval must be ${shortestDriftInterval} or longer`,
          },
        ],
      })
      .describe('Time between two comparisons; 10m when absent.'),
  })
  .describe('How changes that others make on the cluster are found.');
export type Drift = z.output<typeof Drift>;

/** The fields that both kinds share, except `destination`, whose default differs. */
export const componentSpecFields = {
  version: z.string().optional().describe('Wanted version of Knative; the newest known one when empty.'),
  config: z
    .record(z.string(), z.record(z.string(), z.string()))
    .optional()
    .describe('Entries to set in ConfigMaps, by ConfigMap name with or without config-.'),
  registry: Registry.optional(),
  manifests: z.array(ManifestLocation).optional().describe('Replaces the manifests of the release.'),
  additionalManifests: z
    .array(ManifestLocation)
    .optional()
    .describe('Adds to the manifests; an object with the same identity replaces the one of the release.'),
  namespace: z
    .object({ labels: strings, annotations: strings })
    .optional()
    .describe('Labels and annotations of the install namespace.'),
  'high-availability': z
    .object({ replicas: z.int32().describe('Lower limit of replicas.') })
    .optional()
    .describe('Replicas of the workloads that may have several.'),
  workloads: z.array(WorkloadOverride).optional().describe('Overrides by workload; a later entry wins.'),
  deployments: z
    .array(WorkloadOverride)
    .optional()
    .describe('Deprecated name of workloads; applied before it.'),
  services: z.array(ServiceOverride).optional().describe('Overrides by Service.'),
  podDisruptionBudgets: z
    .array(PodDisruptionBudgetOverride)
    .optional()
    .describe('Overrides by PodDisruptionBudget.'),
  resources: z
    .array(ResourceOverride)
    .optional()
    .describe('Deprecated, use workloads. Container resources in all Deployments.'),
  clusterProfileRef: ClusterProfileRef.optional(),
  deletion: Deletion.optional(),
  paused: z
    .boolean()
    .optional()
    .describe('Holds every write to the cluster, the removal of a deleted resource included.'),
  drift: Drift.optional(),
} as const;
