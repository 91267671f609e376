import { clusterProfileApi } from '../api/cluster-profile.ts';
import { componentApi, componentKinds } from '../api/component-ref.ts';
import type { PolicyRule } from './policy-rule.ts';
import { policyRule } from './policy-rule.ts';

const plurals = componentKinds.map((kind) => componentApi[kind].plural);
const statuses = plurals.map((plural) => `${plural}/status`);
const finalizers = plurals.map((plural) => `${plural}/finalizers`);

const readProfiles = policyRule(
  clusterProfileApi.group,
  [clusterProfileApi.plural],
  ['get', 'list', 'watch'],
);

/** The rights of the worker in every namespace of the hub. To install on the hub itself it needs those of a spoke too. */
export const workerRules: readonly PolicyRule[] = [
  policyRule(componentApi.group, plurals, ['get', 'list', 'watch', 'patch']),
  policyRule(componentApi.group, statuses, ['update']),
  // Asked where admission plugin OwnerReferencesPermissionEnforcement is on: a local component owns its objects.
  policyRule(componentApi.group, finalizers, ['update']),
  readProfiles,
  policyRule('', ['events'], ['get', 'create', 'patch']),
  policyRule('', ['namespaces'], ['get'], ['kube-system']),
];

/** The rights of the worker in the operator's namespace: inventories and records of what stayed behind. */
export const workerNamespaceRules: readonly PolicyRule[] = [
  policyRule('', ['configmaps'], ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']),
];

/** The rights of the starter in every namespace of the hub; what it writes is in the operator's namespace. */
export const starterRules: readonly PolicyRule[] = [
  policyRule(componentApi.group, plurals, ['get', 'list', 'watch']),
  readProfiles,
  policyRule('', ['namespaces'], ['get'], ['kube-system']),
];

/** The rights of the starter in the operator's namespace: to choose a leader, and to count what stayed behind. */
export const starterNamespaceRules: readonly PolicyRule[] = [
  policyRule('', ['configmaps'], ['list']),
  policyRule('coordination.k8s.io', ['leases'], ['create']),
  policyRule('coordination.k8s.io', ['leases'], ['get', 'update'], ['knative-fleet-starter']),
];
