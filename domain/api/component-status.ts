import { z } from 'zod';

const text = z.string().optional();
const time = z.iso.datetime({ offset: true }).optional();
const name = z.string().max(1024).optional();

const StatusCondition = z.object({
  type: z.string(),
  status: z.string().describe('True, False or Unknown.'),
  reason: text,
  message: text,
  severity: text,
  lastTransitionTime: text.describe('When status, reason, message or severity last changed.'),
});

/** Where a component is installed: written before the first write to the target, chosen once. */
const StatusTarget = z
  .object({
    clusterUID: name.describe('UID of namespace kube-system there: the identity of the cluster.'),
    server: name.describe('Address of its API server.'),
    installNamespace: name.describe('Namespace that the component is installed into.'),
    anchorUID: name.describe('UID of the object that owns the installed ones.'),
    profile: name.describe('namespace/name of the ClusterProfile, or local.'),
    provider: name.describe('Access provider that the credentials come from.'),
    local: z.boolean().optional().describe('Whether it is the cluster that holds the resource.'),
  })
  .describe('Where the component is installed. Chosen once.');

/** Which wishes were already served; the starter signals what differs. Copies of annotations keep their length. */
const Acknowledged = z
  .object({
    generation: z.int().optional(),
    trigger: text.describe('Value of annotation reconcile.knative.dev/trigger.'),
    forceCleanup: text.describe('Value of annotation fleet.knative.dev/force-cleanup.'),
    suspend: text.describe('Value of annotation fleet.knative.dev/suspend.'),
  })
  .describe('Generation and commands that were already served.');

const Finalization = z
  .object({
    since: time.describe('When the removal began.'),
    nextTry: time.describe('When the next attempt begins.'),
    remaining: z.int32().min(0).optional().describe('Number of objects that remain.'),
    blockers: z
      .array(z.string().max(1024))
      .max(30)
      .optional()
      .describe('What holds the removal up, at most 30 entries.'),
  })
  .describe('Progress of the removal of a deleted resource.');

const Abandoned = z
  .object({
    since: time.describe('When the objects were given up.'),
    why: name.describe('Who or what decided it.'),
    clusterUID: name.describe('Identity of the cluster that they are on.'),
    remaining: z.int32().min(0).optional().describe('Number of objects that were left there.'),
    record: name.describe('namespace/name of the ConfigMap that lists them.'),
  })
  .describe('Objects that were left on a cluster by a decision.');

/** The status of both kinds. Tolerant: nothing is required, so that the status of the Go operator always fits. */
export const ComponentStatusFields = z
  .object({
    observedGeneration: z
      .int()
      .optional()
      .describe('Generation that Ready is about: one that is newer is not installed yet.'),
    conditions: z.array(StatusCondition).optional().describe('Conditions, sorted by type.'),
    annotations: z.record(z.string(), z.string()).optional(),
    version: text.describe('Version that is installed and ready.'),
    manifests: z.array(z.string()).optional().describe('Locations that the installed objects came from.'),
    target: StatusTarget.optional(),
    targetCluster: name.describe('namespace/name of the ClusterProfile, or local.'),
    targetNamespace: name.describe('Namespace that the component is installed into.'),
    unverifiedSince: time.describe('Since when the target could not be looked at.'),
    acknowledged: Acknowledged.optional(),
    abandoned: Abandoned.optional(),
    finalization: Finalization.optional(),
  })
  .describe('Observed state.');
export type ComponentStatusFields = z.output<typeof ComponentStatusFields>;
