/** A CRD with the shape of the Cluster Inventory API, as far as it is used here; for hubs that have none. */
export const clusterProfileCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'clusterprofiles.multicluster.x-k8s.io' },
  spec: {
    group: 'multicluster.x-k8s.io',
    scope: 'Namespaced',
    names: { kind: 'ClusterProfile', plural: 'clusterprofiles', singular: 'clusterprofile' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  displayName: { type: 'string' },
                  clusterManager: { type: 'object', properties: { name: { type: 'string' } } },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
} as const;
