import type { ManifestObject } from './object.ts';
import { groupOf, stringAt } from './object.ts';

/** Cluster-scoped kinds of Kubernetes itself, matched by kind whatever the group. */
const builtInKinds: ReadonlySet<string> = new Set([
  'APIService',
  'CSIDriver',
  'CSINode',
  'CertificateSigningRequest',
  'ClusterRole',
  'ClusterRoleBinding',
  'ClusterTrustBundle',
  'ComponentStatus',
  'CustomResourceDefinition',
  'DeviceClass',
  'FlowSchema',
  'IngressClass',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PodSecurityPolicy',
  'PriorityClass',
  'PriorityLevelConfiguration',
  'RuntimeClass',
  'SelfSubjectAccessReview',
  'SelfSubjectRulesReview',
  'StorageClass',
  'SubjectAccessReview',
  'TokenReview',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
  'VolumeAttachment',
]);

/** Cluster-scoped kinds of other projects that manifests for Knative hold without their CRDs. */
const foreignKinds: ReadonlySet<string> = new Set([
  'authentication.istio.io/MeshPolicy',
  'cert-manager.io/ClusterIssuer',
  'gateway.networking.k8s.io/GatewayClass',
  'trust.cert-manager.io/Bundle',
]);

/**
 * Whether an object has no namespace. `released` are the kinds of `clusterScopedKindsOf`. An unknown kind counts as
 * namespaced; the Go operator knows a part of the first list only.
 */
export function isClusterScoped(object: ManifestObject, released: ReadonlySet<string>): boolean {
  const kind = `${groupOf(object.apiVersion)}/${object.kind}`;
  return builtInKinds.has(object.kind) || foreignKinds.has(kind) || released.has(kind);
}

/** `group/Kind` of the cluster-scoped kinds that CRDs among the objects define. */
export function clusterScopedKindsOf(objects: readonly ManifestObject[]): ReadonlySet<string> {
  return new Set(
    objects
      .filter(
        (object) =>
          object.kind === 'CustomResourceDefinition' && stringAt(object, 'spec', 'scope') === 'Cluster',
      )
      .map(
        (crd) => `${stringAt(crd, 'spec', 'group') ?? ''}/${stringAt(crd, 'spec', 'names', 'kind') ?? ''}`,
      ),
  );
}
