import type { ManifestObject } from './object.ts';
import { groupOf } from './object.ts';
import { servedKindsOf } from './served-kinds.ts';

/** The stages of an install, in order. Each is a barrier; inside one, everything is in flight at once. */
export const stageNames = [
  'namespaces',
  'foundations',
  'workloads',
  'custom objects',
  'webhooks',
  'dependents',
] as const;
export type StageName = (typeof stageNames)[number];

export interface Stage {
  readonly name: StageName;
  readonly objects: readonly ManifestObject[];
  /** CRDs that a later stage waits for; the next ones up to there go on meanwhile. */
  readonly definitions: readonly ManifestObject[];
  /** Begins when the server serves those kinds of its objects that definitions before it define. */
  readonly afterDefinitions: boolean;
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
 * The stage of one object, of which `defined` says whether its kind comes with the same set. Certificates of Knative's
 * own networking API go last, because its webhook must be served before they are accepted; whatever no rule names is a
 * workload, also when its kind must have been on the cluster before.
 */
export function stageOf(object: ManifestObject, defined = false): StageName {
  const group = groupOf(object.apiVersion);
  if (object.kind === 'Certificate' && group === 'networking.internal.knative.dev') return 'dependents';
  return stageOfKind.get(object.kind) ?? (defined ? 'custom objects' : 'workloads');
}

/**
 * Groups objects by stage in the order of application; empty stages are left out. Inside a stage the order of the
 * manifest is kept, but for CRDs, which come first. Workloads use no kind that the set defines, so that they need not
 * wait until the server serves those.
 */
export function groupByStage(objects: readonly ManifestObject[]): readonly Stage[] {
  const served = new Set(
    objects.flatMap(servedKindsOf).map(({ apiVersion, kind }) => `${apiVersion}/${kind}`),
  );
  const isDefined = ({ apiVersion, kind }: ManifestObject): boolean => served.has(`${apiVersion}/${kind}`);
  return stageNames.flatMap((name, position): readonly Stage[] => {
    const members = objects.filter((object) => stageOf(object, isDefined(object)) === name);
    if (members.length === 0) return [];
    const definitions = members.filter(({ kind }) => kind === definitionKind);
    const rest = members.filter(({ kind }) => kind !== definitionKind);
    const afterDefinitions = position > stageNames.indexOf('workloads');
    return [{ name, objects: [...definitions, ...rest], definitions, afterDefinitions }];
  });
}
