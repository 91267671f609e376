import { componentApi, componentKinds } from '../api/component-ref.ts';
import { wireNames } from '../api/wire-names.ts';
import type { ManifestObject } from '../manifests/object.ts';
import { stringAt } from '../manifests/object.ts';
import { runtimeLeftovers } from '../manifests/runtime-leftovers.ts';
import type { PolicyRule } from './policy-rule.ts';
import { policyRule } from './policy-rule.ts';
import { resourceNames } from './resource-names.ts';

const rbac = 'rbac.authorization.k8s.io';

/** What a role for spokes is made from. */
export interface SpokeRightsInput {
  /** Everything that the releases in question install, rendered. */
  readonly objects: readonly ManifestObject[];
  readonly installNamespaces: readonly string[];
}

interface Granted {
  readonly group: string;
  readonly resource: string;
  readonly names: ReadonlySet<string>;
}

/**
 * The rights that the operator needs on every namespace of a spoke: to write exactly the objects of the releases by
 * name, and to list and watch their kinds. No wildcard; `escalate` and `bind` only by name. ConfigMaps are the one kind
 * without names, because the name of an anchor depends on the resource on the hub. Secrets are never listed.
 */
export function spokeRules(input: SpokeRightsInput): readonly PolicyRule[] {
  const granted = grantedResources(input.objects).filter(({ resource }) => resource !== 'configmaps');
  return [
    policyRule('', ['namespaces'], ['create', 'list', 'watch']),
    policyRule(
      '',
      ['namespaces'],
      ['get', 'patch', 'delete'],
      [...namesOf(input.objects, 'Namespace'), ...input.installNamespaces],
    ),
    policyRule('', ['namespaces'], ['get'], ['kube-system']),
    policyRule('', ['configmaps'], ['get', 'list', 'watch', 'create', 'patch', 'delete']),
    // Asked where admission plugin OwnerReferencesPermissionEnforcement is on: the anchor blocks its deletion.
    policyRule('', ['configmaps/finalizers'], ['update']),
    ...granted.flatMap(writeRules),
    ...bindRules(input.objects),
    ...observeRules(granted),
    ...leftoverRules(),
  ];
}

/** The rights on the claim and the inventory, to be bound in namespace `default` only. */
export function claimRules(): readonly PolicyRule[] {
  const claims = componentKinds.map((kind) => `${wireNames.fieldManager}-${kind.toLowerCase()}`);
  const inventories = claims.map((name) => `${name}-inventory`);
  return [
    policyRule('coordination.k8s.io', ['leases'], ['create']),
    policyRule('coordination.k8s.io', ['leases'], ['get', 'update', 'delete'], claims),
    policyRule('', ['configmaps'], ['update'], inventories),
  ];
}

function grantedResources(objects: readonly ManifestObject[]): readonly Granted[] {
  const resourceOf = resourceNames(objects);
  const granted = new Map<string, { group: string; resource: string; names: Set<string> }>();
  for (const object of objects) {
    if (object.kind === 'Namespace') continue;
    const { group, resource } = resourceOf(object);
    const key = `${group}/${resource}`;
    const entry = granted.get(key) ?? { group, resource, names: new Set() };
    entry.names.add(object.metadata.name ?? '');
    granted.set(key, entry);
  }
  return [...granted.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}

function writeRules({ group, resource, names }: Granted): readonly PolicyRule[] {
  const verbs = ['get', 'create', 'patch', 'delete'];
  switch (resource) {
    case 'customresourcedefinitions':
      return [policyRule(group, [resource], ['get', 'create', 'patch'], names)];
    case 'clusterroles':
    case 'roles':
      return [policyRule(group, [resource], [...verbs, 'escalate'], names)];
    default:
      return [policyRule(group, [resource], verbs, names)];
  }
}

/** Bindings may only be made to the roles that the releases bind. */
function bindRules(objects: readonly ManifestObject[]): readonly PolicyRule[] {
  const referenced = (kind: string): readonly string[] =>
    objects
      .filter((object) => object.kind.endsWith('Binding') && stringAt(object, 'roleRef', 'kind') === kind)
      .map((object) => stringAt(object, 'roleRef', 'name') ?? '');
  const [clusterRoles, roles] = [referenced('ClusterRole'), referenced('Role')];
  return [
    ...(clusterRoles.length === 0 ? [] : [policyRule(rbac, ['clusterroles'], ['bind'], clusterRoles)]),
    ...(roles.length === 0 ? [] : [policyRule(rbac, ['roles'], ['bind'], roles)]),
  ];
}

function observeRules(granted: readonly Granted[]): readonly PolicyRule[] {
  const byGroup = Map.groupBy(
    granted.filter(({ resource }) => resource !== 'secrets'),
    ({ group }) => group,
  );
  return [...byGroup].map(([group, resources]) =>
    policyRule(
      group,
      resources.map(({ resource }) => resource),
      ['list', 'watch'],
    ),
  );
}

/** Objects that Knative makes at run time and leaves behind: by name where the names are known. */
function leftoverRules(): readonly PolicyRule[] {
  const resourceOf = resourceNames([]);
  return runtimeLeftovers.flatMap(({ pattern, names, ...leftover }) => {
    const { group, resource } = resourceOf(leftover);
    if (pattern === undefined) return [policyRule(group, [resource], ['get', 'delete'], names)];
    if (names === undefined) return [policyRule(group, [resource], ['list', 'delete'])];
    return [policyRule(group, [resource], ['list']), policyRule(group, [resource], ['delete'], names)];
  });
}

function namesOf(objects: readonly ManifestObject[], kind: string): readonly string[] {
  return objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name ?? '');
}

/** The install namespaces of components that name none. */
export const defaultInstallNamespaces: readonly string[] = componentKinds.map(
  (kind) => componentApi[kind].defaultNamespace,
);
