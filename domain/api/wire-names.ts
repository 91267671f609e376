/** Names that other software and older installations rely on. Add, never rename. */
export const wireNames = {
  fieldManager: 'knative-fleet',
  /** Lease in the operator's namespace on the hub by which starters choose their leader. */
  starterLease: 'knative-fleet-starter',
  /** On every object that we wrote: the UID of the component. */
  ownerAnnotation: 'fleet.knative.dev/owner',
  acceptClusterAnnotation: 'fleet.knative.dev/accept-cluster',
  suspendAnnotation: 'fleet.knative.dev/suspend',
  /** `<resource uid>: <reason>`; another UID is reported and ignored. */
  forceCleanupAnnotation: 'fleet.knative.dev/force-cleanup',
  /** On the mirror of an inventory whose removal goes on without its resource. */
  cleanupLabel: 'fleet.knative.dev/cleanup',
  cleanupPending: 'pending',
  /** `Kind/namespace/name`, UID and `<namespace>/<name>` of the ClusterProfile of such a removal. */
  componentAnnotation: 'fleet.knative.dev/component',
  uidAnnotation: 'fleet.knative.dev/uid',
  clusterProfileAnnotation: 'fleet.knative.dev/cluster-profile',
  triggerAnnotation: 'reconcile.knative.dev/trigger',
  componentLabel: 'app.kubernetes.io/name',
  managedByLabel: 'app.kubernetes.io/managed-by',
  /** Value of the managed-by label on namespaces and anchors; kept from the Go operator so that both read each other. */
  managedByValue: 'knative-operator',
  anchorNameLabel: 'operator.knative.dev/cr-name',
  anchorAnnotation: 'operator.knative.dev/anchor',
  anchorProtectedAnnotation: 'operator.knative.dev/protected',
  anchorDescriptionAnnotation: 'operator.knative.dev/description',
  /** Set by the Go operator on objects that it created. */
  goOperatorAnnotation: 'manifestival',
} as const;

/** Field managers of the Go operator: its engine, and the name of its binary. */
export const goOperatorManagers: ReadonlySet<string> = new Set(['manifestival', 'operator']);

/** Namespace on every target that holds the claim and the inventory: some clouds refuse writes in kube-system. */
export const claimNamespace = 'default';

/** Field manager of the controller that fills in the rules of aggregated ClusterRoles. */
export const aggregationController = 'clusterrole-aggregation-controller';
