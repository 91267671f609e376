import type { ManifestObject } from './object.ts';
import { groupOf } from './object.ts';

/** The stages of an install, in order. Each is a barrier; inside one, everything is in flight at once. */
export const stageNames = ['namespaces', 'foundations', 'workloads', 'webhooks', 'dependents'] as const;
export type StageName = (typeof stageNames)[number];

export interface Stage {
  readonly name: StageName;
  readonly objects: readonly ManifestObject[];
  /** What must hold before the next stage begins. */
  readonly waitFor?: 'crds-established';
}

const definitionKind = 'CustomResourceDefinition';

/** Foundations need nothing but their namespace, so that they fill the time in which the server takes up the CRDs. */
const stageOfKind: ReadonlyMap<string, StageName> = new Map<string, StageName>([
  ['Namespace', 'namespaces'],
  [definitionKind, 'foundations'],
  ['ServiceAccount', 'foundations'],
  ['ClusterRole', 'foundations'],
  ['Role', 'foundations'],
  ['ClusterRoleBinding', 'foundations'],
  ['RoleBinding', 'foundations'],
  ['ConfigMap', 'foundations'],
  ['Secret', 'foundations'],
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

/**
 * Groups objects by stage in the order of application; empty stages are left out. Inside a stage the order of the
 * manifest is kept, but for CRDs, which come first.
 */
export function groupByStage(objects: readonly ManifestObject[]): readonly Stage[] {
  return stageNames.flatMap((name): readonly Stage[] => {
    const members = objects.filter((object) => stageOf(object) === name);
    if (members.length === 0) return [];
    const definitions = members.filter(({ kind }) => kind === definitionKind);
    if (definitions.length === 0) return [{ name, objects: members }];
    const rest = members.filter(({ kind }) => kind !== definitionKind);
    return [{ name, objects: [...definitions, ...rest], waitFor: 'crds-established' }];
  });
}
