import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';
import { listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';

/** What Knative's own controllers write at run time, as they do: they read an object, change it and put it back. */
export interface KnativeControllers {
  /** Rules, selector, path and CA of every webhook of a component, found by its release label. */
  fillWebhooks(nameLabel: string): Promise<readonly ManifestObject[]>;
  /** As a HorizontalPodAutoscaler does, by the subresource. */
  scale(workload: { readonly namespace: string; readonly name: string }, replicas: number): Promise<void>;
  /** Replaces the whole environment and starts one replica, as soon as there is a PingSource. */
  configurePingAdapter(namespace: string): Promise<ManifestObject>;
}

const admission = 'admissionregistration.k8s.io/v1';
const rules = [
  { apiGroups: ['live.example'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] },
];

export function knativeControllers(client: ClusterClient): KnativeControllers {
  return {
    async fillWebhooks(nameLabel) {
      const kinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];
      const lists = await Promise.all(kinds.map((kind) => client.list(admission, kind)));
      const ours = lists
        .flat()
        .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === nameLabel);
      return Promise.all(ours.map((found) => client.replace(filled(found))));
    },
    async scale({ namespace, name }, replicas) {
      const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
      await client.patch(ref, { type: 'merge', body: { spec: { replicas } } });
    },
    async configurePingAdapter(namespace) {
      const name = 'pingsource-mt-adapter';
      const found = await client.get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name });
      if (found === undefined) throw new Error('there is no ping adapter');
      const template = recordAt(found, 'spec', 'template');
      const containers = listAt(template, 'spec', 'containers').map((container) => ({
        ...recordAt(container),
        env: adapterEnvironment(namespace),
      }));
      const spec = {
        ...recordAt(found, 'spec'),
        replicas: 1,
        template: { ...template, spec: { ...recordAt(template, 'spec'), containers } },
      };
      return client.replace({ ...found, spec });
    },
  };
}

function filled(configuration: ManifestObject): ManifestObject {
  const webhooks = listAt(configuration, 'webhooks').map((webhook) => {
    const service = { ...recordAt(webhook, 'clientConfig', 'service'), path: '/live' };
    return {
      ...recordAt(webhook),
      rules,
      clientConfig: { service, caBundle: Buffer.from('a live certificate').toString('base64') },
      namespaceSelector: {
        matchExpressions: [{ key: 'webhooks.knative.dev/exclude', operator: 'DoesNotExist' }],
      },
    };
  });
  return { ...configuration, webhooks };
}

/** Other values, another kind of source for one variable, none of the Pod's name, and another order. */
function adapterEnvironment(namespace: string): readonly JsonRecord[] {
  return [
    { name: 'K_LEADER_ELECTION_CONFIG', value: '{"component":"mtping"}' },
    { name: 'K_LOGGING_CONFIG', value: '{"zap-logger-config":"{}"}' },
    { name: 'SYSTEM_NAMESPACE', value: namespace },
    { name: 'NAMESPACE', value: '' },
    { name: 'K_NO_SHUTDOWN_AFTER', value: '55' },
    { name: 'K_SINK_TIMEOUT', value: '-1' },
  ];
}

/** Names and values of the environment of a Deployment's first container, in order. */
export function environmentIn(deployment: ManifestObject | undefined): readonly string[] {
  const [container] = listAt(deployment, 'spec', 'template', 'spec', 'containers');
  return listAt(container, 'env').map(
    (variable) => `${stringAt(variable, 'name') ?? ''}=${stringAt(variable, 'value') ?? '(elsewhere)'}`,
  );
}
