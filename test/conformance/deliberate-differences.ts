/** A place where we leave something else on the cluster than the recorded Go operator did, on purpose. */
export interface DeliberateDifference {
  /** Names of the recorded cases; it must show in each of them. */
  readonly cases: readonly string[];
  /** `group/Kind/namespace/name`, as `keyOf` gives it, or `status` for the status of the resource. */
  readonly object: string;
  /** Field path that differs, with everything below it; list indexes are left out, so `env[].value`. */
  readonly path: string;
  readonly ours: string;
  readonly why: string;
}

const configDeployment = '/ConfigMap/knative-serving/config-deployment';

/** Every entry must show in the recordings: one that no longer does is reported as stale. */
export const deliberateDifferences: readonly DeliberateDifference[] = [
  {
    cases: ['serving-registry-default', 'serving-registry-override'],
    object: configDeployment,
    path: 'data.queue-sidecar-image',
    ours: 'spec.registry reaches the image of the queue proxy, unless spec.config sets the key',
    why: 'Serving reads the image from here; with the caching Image alone a private registry is ignored',
  },
  ...['eventing-integrations-images', 'eventing-transformations-images'].map((name) => ({
    cases: ['eventing-registry'],
    object: `/ConfigMap/knative-eventing/${name}`,
    path: 'data',
    ours: 'spec.registry reaches the images of integrations and transformations, unless spec.config sets the key',
    why: 'Eventing makes Pods of these images; with a private registry nothing can pull the published ones',
  })),
  {
    cases: ['serving-ingress-two'],
    object: '/Namespace//knative-serving',
    path: 'metadata.labels',
    ours: 'the labels of the last Namespace in the bundles, Kourier’s, as in all other recordings with Kourier',
    why: 'the recording was taken between two of the writes that the Go operator repeats at every pass',
  },
  {
    cases: ['eventing-workloads'],
    object: 'apps/Deployment/knative-eventing/pingsource-mt-adapter',
    path: 'spec.template.spec.containers[].env',
    ours: 'the environment of the manifest, until the eventing controller owns it',
    why: 'the Go operator copies a part of the live list and keeps fighting the controller about the rest',
  },
  {
    cases: ['serving-job-override'],
    object: 'status',
    path: 'conditions',
    ours: 'not Ready, and waiting for the Job of the release',
    why: 'the override sends the Job to a node that does not exist; the Go operator never looks at Jobs and reports Ready',
  },
  {
    cases: ['serving-job-override'],
    object: 'status',
    path: 'version',
    ours: 'no version, as the installation is not complete',
    why: 'as for the conditions',
  },
];
