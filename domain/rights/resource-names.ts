import { OperatorError } from '../errors.ts';
import type { ManifestObject } from '../manifests/object.ts';
import { groupOf, stringAt } from '../manifests/object.ts';

/** Kinds whose plural is not the lower-case kind with an `s`. */
const irregular: Readonly<Record<string, string>> = {
  Endpoints: 'endpoints',
  Ingress: 'ingresses',
  NetworkPolicy: 'networkpolicies',
};

/** Kinds of Kubernetes and of other projects that releases hold without their CRDs. */
const known: Readonly<Record<string, readonly string[]>> = {
  '': ['ConfigMap', 'Endpoints', 'Namespace', 'Secret', 'Service', 'ServiceAccount'],
  'admissionregistration.k8s.io': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  apps: ['DaemonSet', 'Deployment', 'StatefulSet'],
  autoscaling: ['HorizontalPodAutoscaler'],
  batch: ['CronJob', 'Job'],
  'caching.internal.knative.dev': ['Image'],
  'cert-manager.io': ['Certificate', 'ClusterIssuer', 'Issuer'],
  'coordination.k8s.io': ['Lease'],
  'discovery.k8s.io': ['EndpointSlice'],
  'gateway.networking.k8s.io': ['Gateway'],
  'networking.istio.io': ['Gateway'],
  'networking.k8s.io': ['Ingress', 'NetworkPolicy'],
  policy: ['PodDisruptionBudget'],
  'projectcontour.io': ['TLSCertificateDelegation'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'security.istio.io': ['PeerAuthentication'],
  'trust.cert-manager.io': ['Bundle'],
};

/** Group and plural of a kind, as RBAC names it. */
export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

/** A function from an object to its resource, which also knows the kinds of the CRDs given. */
export function resourceNames(
  crds: readonly ManifestObject[],
): (object: Pick<ManifestObject, 'apiVersion' | 'kind'>) => ResourceName {
  const defined = new Map(
    crds
      .filter((object) => object.kind === 'CustomResourceDefinition')
      .map((crd) => [
        `${stringAt(crd, 'spec', 'group') ?? ''}/${stringAt(crd, 'spec', 'names', 'kind') ?? ''}`,
        stringAt(crd, 'spec', 'names', 'plural') ?? '',
      ]),
  );
  return ({ apiVersion, kind }) => {
    const group = groupOf(apiVersion);
    const plural = defined.get(`${group}/${kind}`);
    if (plural !== undefined) return { group, resource: plural };
    if (known[group]?.includes(kind) === true) return { group, resource: pluralOf(kind) };
    throw new OperatorError(
      'ManifestInvalid',
      `the plural of ${kind} of ${apiVersion} is not known, so no right to it can be granted; give its CustomResourceDefinition too`,
    );
  };
}

function pluralOf(kind: string): string {
  return irregular[kind] ?? `${kind.toLowerCase()}s`;
}
