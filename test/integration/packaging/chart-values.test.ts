import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { findBinaries } from '../../../dev/binaries/find-binaries.ts';
import { renderChart } from '../../../dev/helm/render-chart.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { listAt, recordAt } from '../../../domain/manifests/object.ts';
import { installManifest } from '../../../scripts/chart/install-manifest.ts';
import { chartObjects } from '../../support/chart-objects.ts';

const namespace = 'knative-operator';
const provider = (command: string) => ({
  providers: [{ name: 'secretreader', execConfig: { command } }],
});
const plugin = {
  name: 'secretreader',
  image: 'example.com/secretreader:1',
  mountPath: '/plugins/secretreader',
};
const multicluster = (more: object) => ({ knative_operator: { multicluster: { enabled: true, ...more } } });
const working = { accessProvidersConfig: provider('/plugins/secretreader/secretreader'), plugins: [plugin] };

async function render(values: object): Promise<readonly ManifestObject[]> {
  return chartObjects(await renderChart({ namespace, values }));
}

async function podSpec(values: object, component = 'worker') {
  const name = `knative-fleet-${component}`;
  const found = (await render(values)).find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === name,
  );
  const spec = recordAt(found, 'spec', 'template', 'spec');
  const [container] = listAt(spec, 'containers');
  return { spec, container, deployment: found };
}

const refused: readonly (readonly [string, object, string])[] = [
  [
    'multi-cluster without providers',
    multicluster({}),
    'knative_operator.multicluster.enabled is true but knative_operator.multicluster.accessProvidersConfig is empty; either provide an access-providers config or disable multi-cluster support',
  ],
  [
    'a relative mount path',
    multicluster({ ...working, plugins: [plugin, { ...plugin, name: 'b', mountPath: 'plugins/b' }] }),
    'knative_operator.multicluster.plugins[1].mountPath must be an absolute path, got "plugins/b"',
  ],
  [
    'a command outside of every mount path',
    multicluster({ ...working, accessProvidersConfig: provider('/usr/bin/aws') }),
    'provider "secretreader": command "/usr/bin/aws" is not under any plugins[].mountPath [/plugins/secretreader]',
  ],
  [
    'a command beside a mount path of the same beginning',
    multicluster({ ...working, accessProvidersConfig: provider('/plugins/secretreader-2/run') }),
    'is not under any plugins[].mountPath',
  ],
  [
    'a command that leaves its mount path',
    multicluster({ ...working, accessProvidersConfig: provider('/plugins/secretreader/../other/run') }),
    'is not under any plugins[].mountPath',
  ],
  [
    'two plugins of one name',
    multicluster({ ...working, plugins: [plugin, { ...plugin, mountPath: '/plugins/b' }] }),
    'plugins[1].name "secretreader" is used twice',
  ],
  [
    'an init container without files to copy',
    multicluster({ ...working, pluginDelivery: 'InitContainer' }),
    'plugins[0].files is empty; with pluginDelivery InitContainer it names the paths in example.com/secretreader:1',
  ],
  [
    "the Go operator's image",
    { knative_operator: { knative_operator: { image: 'example.com/operator' } } },
    'use image.repository for another image of knative-fleet',
  ],
  [
    "the Go operator's tag",
    { knative_operator: { knative_operator: { tag: 'v1.22.0' } } },
    'use image.tag for another image of knative-fleet',
  ],
  [
    'the webhook',
    { knative_operator: { operator_webhook: { resources: {} } } },
    'the settings of the second Deployment are under starter',
  ],
  ['no Temporal', { temporal: { address: '' } }, 'temporal.address is empty'],
  [
    'two kinds of Temporal credentials',
    { temporal: { apiKey: { secret: 'key' }, tls: { enabled: true, clientSecret: 'tls' } } },
    'are both set; Temporal takes one kind of credential',
  ],
  [
    'TLS settings that would be ignored',
    { temporal: { tls: { clientSecret: 'tls' } } },
    'temporal.tls.enabled is false',
  ],
  [
    'trust in no certificate',
    { temporal: { tls: { enabled: true, trustCa: true } } },
    'names a Secret with ca.crt',
  ],
  [
    'an absolute path in a volume',
    { releases: { volume: { emptyDir: {} }, subPath: '/x' } },
    'releases.subPath',
  ],
  ['a value that nobody knows', { worker: { replica: 3 } }, "additional properties 'replica' not allowed"],
  ['a wrong type', { starter: { replicas: 'two' } }, 'got string, want integer'],
];

describe('the chart', () => {
  // Helm is built once, where it is not at hand.
  beforeAll(() => findBinaries(['helm']), 600_000);

  test.each(refused)('refuses %s and says what to do', async (_what, values, message) => {
    await expect(renderChart({ namespace, values })).rejects.toThrow(message);
  });

  test('takes every value of the Go operator’s chart that has a meaning here', async () => {
    const resources = { limits: { cpu: '1', memory: '1Gi' } };
    const { spec, container, deployment } = await podSpec({
      knative_operator: {
        kubernetes_min_version: 'v1.25.0',
        multicluster: { ...working, enabled: true, remoteDeploymentsPollInterval: '30s' },
        knative_operator: {
          affinity: { nodeAffinity: {} },
          tolerations: [{ key: 'infra' }],
          annotations: { a: 'deployment' },
          podAnnotations: { a: 'pod' },
          securityContext: { runAsUser: 1234 },
          containerSecurityContext: { privileged: false },
          resources,
        },
      },
    });
    expect(deployment?.metadata.annotations).toEqual({ a: 'deployment' });
    expect(recordAt(deployment, 'spec', 'template', 'metadata', 'annotations')).toEqual({ a: 'pod' });
    expect(spec).toMatchObject({
      affinity: { nodeAffinity: {} },
      tolerations: [{ key: 'infra' }],
      securityContext: { runAsUser: 1234, runAsNonRoot: true },
    });
    expect(container).toMatchObject({
      args: [
        '--remote-deployments-poll-interval=30s',
        '--clusterprofile-provider-file=/etc/cluster-inventory/config.json',
      ],
      resources: { ...resources, requests: { cpu: '200m' } },
      securityContext: { privileged: false, readOnlyRootFilesystem: true },
    });
    expect(listAt(container, 'env')).toContainEqual({ name: 'KUBERNETES_MIN_VERSION', value: 'v1.25.0' });
  });

  test('expands further objects as templates', async () => {
    const extra = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-extra' } };
    const names = (await render({ extraObjects: [extra] })).map(({ metadata }) => metadata.name);
    expect(names).toContain('knative-fleet-extra');
  });

  test('renders the poll interval without multi-cluster, and leaves it out when it is empty', async () => {
    const args = async (value: string) => {
      const knative_operator = { multicluster: { remoteDeploymentsPollInterval: value } };
      return listAt((await podSpec({ knative_operator })).container, 'args');
    };
    expect(await args('10s')).toEqual(['--remote-deployments-poll-interval=10s']);
    expect(await args('')).toEqual([]);
  });

  test('delivers plugins as image volumes, or copies their files in init containers', async () => {
    const volumes = await podSpec(multicluster(working));
    expect(listAt(volumes.spec, 'volumes')).toContainEqual({
      name: 'plugin-secretreader',
      image: { reference: plugin.image, pullPolicy: 'IfNotPresent' },
    });
    expect(volumes.spec['initContainers']).toBeUndefined();
    const files = ['/secretreader', '/lib'];
    const copied = await podSpec(
      multicluster({ ...working, plugins: [{ ...plugin, files }], pluginDelivery: 'InitContainer' }),
    );
    expect(listAt(copied.spec, 'volumes')).toContainEqual({ name: 'plugin-secretreader', emptyDir: {} });
    expect(listAt(copied.spec, 'initContainers')).toMatchObject([
      {
        image: plugin.image,
        command: ['cp', '-a', '/secretreader', '/lib', '/plugins/secretreader/'],
        volumeMounts: [{ name: 'plugin-secretreader', mountPath: '/plugins/secretreader' }],
        securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      },
    ]);
    for (const { container } of [volumes, copied]) {
      expect(listAt(container, 'volumeMounts')).toContainEqual({
        name: 'plugin-secretreader',
        mountPath: '/plugins/secretreader',
        readOnly: true,
      });
    }
  });

  test.each(['worker', 'starter'])(
    'runs the %s unprivileged, read-only and with probes',
    async (component) => {
      const { spec, container } = await podSpec({}, component);
      expect(spec).toMatchObject({
        serviceAccountName: `knative-fleet-${component}`,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        livenessProbe: { httpGet: { path: '/healthz' } },
        readinessProbe: { httpGet: { path: '/readyz' } },
      });
    },
  );

  test('gives the Prometheus operator the alert rules and the pods, when it is asked to', async () => {
    const kinds = ['PodMonitor', 'PrometheusRule'];
    const plain = (await render({})).filter(({ kind }) => kinds.includes(kind));
    expect(plain).toEqual([]);
    const monitoring = {
      labels: { release: 'prometheus' },
      podMonitor: { enabled: true, interval: '30s' },
      prometheusRule: { enabled: true },
    };
    const objects = await render({ monitoring });
    const [pods, rules] = kinds.map((wanted) => objects.find(({ kind }) => kind === wanted));
    const rulesFile = resolve(import.meta.dirname, '../../../deploy/prometheus/alerts.yaml');
    const { groups } = parse(await readFile(rulesFile, 'utf8')) as { groups: unknown };
    expect(recordAt(rules, 'spec')['groups']).toEqual(groups);
    expect(recordAt(pods, 'spec')['podMetricsEndpoints']).toEqual([{ port: 'metrics', interval: '30s' }]);
    for (const object of [pods, rules])
      expect(object?.metadata.labels).toMatchObject({ release: 'prometheus' });
    const selected = recordAt(pods, 'spec', 'selector', 'matchLabels');
    for (const component of ['worker', 'starter']) {
      const { deployment, container } = await podSpec({}, component);
      expect(recordAt(deployment, 'spec', 'template', 'metadata', 'labels')).toMatchObject(selected);
      expect(listAt(container, 'ports')).toContainEqual(expect.objectContaining({ name: 'metrics' }));
    }
  });

  test('keeps the CustomResourceDefinitions when it is removed', async () => {
    const crds = (await render({})).filter(({ kind }) => kind === 'CustomResourceDefinition');
    expect(crds.map(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'])).toEqual([
      'keep',
      'keep',
    ]);
  });

  test('is what deploy/install.yaml was rendered from; run npm run generate', async () => {
    const { path, text } = await installManifest();
    expect(await readFile(resolve(import.meta.dirname, '../../..', path), 'utf8')).toBe(text);
  });
});
