import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { componentApi, componentKinds } from '../../domain/api/component-ref.ts';
import { clusterProfileApi } from '../../domain/api/cluster-profile.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { recordAt } from '../../domain/manifests/object.ts';

/** One right that is needed. An absent namespace means all. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
}

function rights(verbs: string, right: Omit<Right, 'verb'>): readonly Right[] {
  return verbs.split(' ').map((verb) => ({ verb, ...right }));
}

/** What worker and starter need on the hub beside the installation of a local component. */
export function hubRights(operatorNamespace: string, multicluster: boolean): readonly Right[] {
  const { group } = componentApi;
  return [
    ...componentKinds.flatMap((kind) => {
      const resource = componentApi[kind].plural;
      return [
        ...rights('get list watch patch', { group, resource }),
        ...rights('update', { group, resource, subresource: 'status' }),
      ];
    }),
    ...rights('create get patch', { group: '', resource: 'events' }),
    ...rights('get list create update patch delete', {
      group: '',
      resource: 'configmaps',
      namespace: operatorNamespace,
    }),
    ...rights('get create update', {
      group: 'coordination.k8s.io',
      resource: 'leases',
      namespace: operatorNamespace,
    }),
    ...rights('get', { group: '', resource: 'namespaces' }),
    ...(multicluster
      ? rights('get list watch', { group: clusterProfileApi.group, resource: clusterProfileApi.plural })
      : []),
  ];
}

/** What every installation on a target needs; the full role follows from the release. */
export const spokeRights: readonly Right[] = [
  ...rights('get list', { group: '', resource: 'namespaces' }),
  ...rights('create patch', { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }),
  ...rights('create patch', { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' }),
  ...rights('create patch delete', {
    group: 'admissionregistration.k8s.io',
    resource: 'validatingwebhookconfigurations',
  }),
  ...rights('get list watch create patch delete', { group: 'apps', resource: 'deployments' }),
  ...rights('get create update', { group: 'coordination.k8s.io', resource: 'leases', namespace: 'default' }),
  ...rights('get create update', { group: '', resource: 'configmaps', namespace: 'default' }),
];

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

function describeRight({ verb, group, resource, subresource, namespace }: Right): string {
  const name = `${resource}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
  return `${verb} ${name}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
