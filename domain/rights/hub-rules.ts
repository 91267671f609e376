import { clusterProfileApi } from '../api/cluster-profile.ts';
import { componentApi, componentKinds } from '../api/component-ref.ts';
import type { PolicyRule } from './policy-rule.ts';
import { policyRule } from './policy-rule.ts';

const plurals = componentKinds.map((kind) => componentApi[kind].plural);
const statuses = plurals.map((plural) => `${plural}/status`);
const definitions = plurals.map((plural) => `${plural}.${componentApi.group}`);
const finalizers = plurals.map((plural) => `${plural}/finalizers`);

const readProfiles = policyRule(
  clusterProfileApi.group,
  [clusterProfileApi.plural],
  ['get', 'list', 'watch'],
);

const writeEvents = policyRule('', ['events'], ['get', 'create', 'patch']);

/** The rights of the worker in every namespace of the hub. To install on the hub itself it needs those of a spoke too. */
export const workerRules: readonly PolicyRule[] = [
  policyRule(componentApi.group, plurals, ['get', 'list', 'watch', 'patch']),
  policyRule(componentApi.group, statuses, ['update']),
  // Asked where admission plugin OwnerReferencesPermissionEnforcement is on: a local component owns its objects.
  policyRule(componentApi.group, finalizers, ['update']),
  readProfiles,
  writeEvents,
  policyRule('', ['namespaces'], ['get'], ['kube-system']),
  // For doctor, run with the account of the worker.
  policyRule('apiextensions.k8s.io', ['customresourcedefinitions'], ['get'], definitions),
];

/**
 * The rights of the worker in the operator's namespace: inventories and records of what stayed behind, and to see whether
 * a Go operator is at work.
 */
export const workerNamespaceRules: readonly PolicyRule[] = [
  // For doctor.
  policyRule('', ['namespaces'], ['get']),
  policyRule('', ['configmaps'], ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']),
  policyRule('coordination.k8s.io', ['leases'], ['list']),
];

/** The rights of the starter in every namespace of the hub. */
export const starterRules: readonly PolicyRule[] = [
  policyRule(componentApi.group, plurals, ['get', 'list', 'watch']),
  readProfiles,
  writeEvents,
  policyRule('', ['namespaces'], ['get'], ['kube-system']),
];

/**
 * The rights of the starter in the operator's namespace: to choose a leader, and to see whether a Go operator is at
 * work, what stayed behind and which cleanups are open.
 */
export const starterNamespaceRules: readonly PolicyRule[] = [
  policyRule('coordination.k8s.io', ['leases'], ['create', 'list']),
  policyRule('coordination.k8s.io', ['leases'], ['get', 'update'], ['knative-fleet-starter']),
  policyRule('', ['configmaps'], ['list', 'watch']),
];
