import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { clusterProfileApi } from '../../domain/api/cluster-profile.ts';
import { claimNamespace } from '../../domain/api/wire-names.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { recordAt } from '../../domain/manifests/object.ts';
import { workerNamespaceRules, workerRules } from '../../domain/rights/hub-rules.ts';
import type { PolicyRule } from '../../domain/rights/policy-rule.ts';
import { claimRules } from '../../domain/rights/spoke-rules.ts';

/** One right that is needed. An absent namespace means all, an absent name objects of any name. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** What the worker needs on the hub beside the installation of a local component: the rules of its shipped roles. */
export function hubRights(operatorNamespace: string, multicluster: boolean): readonly Right[] {
  const rules = workerRules.filter(
    ({ apiGroups }) => multicluster || !apiGroups.includes(clusterProfileApi.group),
  );
  return [
    ...rules.flatMap((rule) => rightsOf(rule)),
    ...workerNamespaceRules.flatMap((rule) => rightsOf(rule, operatorNamespace)),
  ];
}

/**
 * What every installation on a target needs, for a sample of objects that every release has: the shipped role names each
 * object that may be written.
 */
export const spokeRights: readonly Right[] = [
  ...rights('list', { group: '', resource: 'namespaces' }),
  ...rights('get', { group: '', resource: 'namespaces', name: 'kube-system' }),
  ...rights('create patch', {
    group: 'apiextensions.k8s.io',
    resource: 'customresourcedefinitions',
    name: 'services.serving.knative.dev',
  }),
  ...rights('create patch delete escalate', {
    group: 'rbac.authorization.k8s.io',
    resource: 'clusterroles',
    name: 'knative-serving-admin',
  }),
  ...rights('create patch delete', {
    group: 'admissionregistration.k8s.io',
    resource: 'validatingwebhookconfigurations',
    name: 'config.webhook.serving.knative.dev',
  }),
  ...rights('list watch', { group: 'apps', resource: 'deployments' }),
  ...rights('get create patch delete', { group: 'apps', resource: 'deployments', name: 'controller' }),
  ...claimRules().flatMap((rule) => rightsOf(rule, claimNamespace)),
  ...rights('get create', { group: '', resource: 'configmaps', namespace: claimNamespace }),
];

function rights(verbs: string, right: Omit<Right, 'verb'>): readonly Right[] {
  return verbs.split(' ').map((verb) => ({ verb, ...right }));
}

/** Every single right that a rule grants. */
function rightsOf(rule: PolicyRule, namespace?: string): readonly Right[] {
  const names = rule.resourceNames?.map((name) => ({ name })) ?? [{}];
  const place = namespace === undefined ? {} : { namespace };
  return rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((path) => {
      const [resource = '', subresource] = path.split('/');
      const what = { group, resource, ...(subresource === undefined ? {} : { subresource }), ...place };
      return names.flatMap((name) => rule.verbs.map((verb) => ({ verb, ...what, ...name })));
    }),
  );
}

/** The rights that the client's own account does not have, as people write them. */
export async function missingRights(
  client: ClusterClient,
  wanted: readonly Right[],
): Promise<readonly string[]> {
  const allowed = await Promise.all(wanted.map((right) => isAllowed(client, right)));
  return wanted.filter((_, index) => allowed[index] !== true).map(describeRight);
}

async function isAllowed(client: ClusterClient, right: Right): Promise<boolean> {
  const review: ManifestObject = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: { resourceAttributes: right },
  };
  return recordAt(await client.create(review), 'status')['allowed'] === true;
}

function describeRight({ verb, group, resource, subresource, namespace, name: object }: Right): string {
  const name = `${resource}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
  const named = object === undefined ? '' : ` ${object}`;
  return `${verb} ${name}${named}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
