import type { ManifestObject } from './object.ts';
import { groupOf } from './object.ts';

/** The stages of an install, in order. Each is a barrier; inside one, everything is in flight at once. */
export const stageNames = [
  'namespaces',
  'definitions',
  'access',
  'configuration',
  'workloads',
  'webhooks',
  'dependents',
] as const;
export type StageName = (typeof stageNames)[number];

export interface Stage {
  readonly name: StageName;
  readonly objects: readonly ManifestObject[];
  /** What must hold before the next stage begins. */
  readonly waitFor?: 'crds-established';
}

const stageOfKind: ReadonlyMap<string, StageName> = new Map<string, StageName>([
  ['Namespace', 'namespaces'],
  ['CustomResourceDefinition', 'definitions'],
  ['ServiceAccount', 'access'],
  ['ClusterRole', 'access'],
  ['Role', 'access'],
  ['ClusterRoleBinding', 'access'],
  ['RoleBinding', 'access'],
  ['ConfigMap', 'configuration'],
  ['Secret', 'configuration'],
  ['MutatingWebhookConfiguration', 'webhooks'],
  ['ValidatingWebhookConfiguration', 'webhooks'],
  ['APIService', 'webhooks'],
]);

/**
 * The stage of one object. Certificates of Knative's own networking API go last, because its webhook must be served
 * before they are accepted; whatever no rule names is a workload.
 */
export function stageOf(object: ManifestObject): StageName {
  const group = groupOf(object.apiVersion);
  if (object.kind === 'Certificate' && group === 'networking.internal.knative.dev') return 'dependents';
  return stageOfKind.get(object.kind) ?? 'workloads';
}

/** Groups objects by stage in the order of application; empty stages are left out, manifest order is kept inside. */
export function groupByStage(objects: readonly ManifestObject[]): readonly Stage[] {
  return stageNames.flatMap((name): readonly Stage[] => {
    const members = objects.filter((object) => stageOf(object) === name);
    if (members.length === 0) return [];
    if (name !== 'definitions') return [{ name, objects: members }];
    return [{ name, objects: members, waitFor: 'crds-established' }];
  });
}
