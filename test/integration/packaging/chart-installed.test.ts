import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { findBinaries } from '../../../dev/binaries/find-binaries.ts';
import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import { kubeconfigOf } from '../../../dev/control-plane/kubeconfig.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { startFleet } from '../../../dev/control-plane/start-fleet.ts';
import type { Fleet } from '../../../dev/control-plane/start-fleet.ts';
import { remainsOn } from '../../../dev/demo/remains.ts';
import { renderChart } from '../../../dev/helm/render-chart.ts';
import { ensureNamespace, operatorNamespace as namespace } from '../../../dev/operator/prepare-hub.ts';
import { installClusterProfileCrd, registerSpoke } from '../../../dev/operator/register-spoke.ts';
import { serviceAccountToken } from '../../../dev/operator/service-account-token.ts';
import { temporaryFolder } from '../../../dev/processes/reaper.ts';
import { createNamespace } from '../../../dev/temporal/create-namespace.ts';
import { chartObjects } from '../../support/chart-objects.ts';
import { installForeignKinds } from '../../support/foreign-kinds.ts';
import {
  applyComponent,
  deleteComponent,
  inventoryNamespace,
  resourceNamespace,
  servingOn,
  testReleases,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import { refusedRequests } from '../../support/refused-requests.ts';
import type { RenderedProcess } from '../../support/rendered-process.ts';
import { startRenderedProcess } from '../../support/rendered-process.ts';
import { accounts, isIdentity, shippedSpokeIdentity } from '../../support/shipped-identities.ts';

const root = resolve(import.meta.dirname, '../../..');

const plugin = { name: 'node', image: 'example.com/node:24', mountPath: dirname(process.execPath) };
const execConfig = {
  command: process.execPath,
  args: ['--disable-warning=ExperimentalWarning', join(root, 'plugins/secretreader.ts'), namespace],
  apiVersion: 'client.authentication.k8s.io/v1',
  provideClusterInfo: true,
};
const multicluster = {
  enabled: true,
  accessProvidersConfig: { providers: [{ name: 'secretreader', execConfig }] },
  plugins: [plugin],
  pluginSecrets: [{ namespace }],
};
const files = ['/bin/node'];

const variants: readonly (readonly [string, object])[] = [
  ['default values', {}],
  ['plugins as image volumes', { knative_operator: { multicluster } }],
  [
    'plugins by init container',
    {
      knative_operator: {
        multicluster: { ...multicluster, pluginDelivery: 'InitContainer', plugins: [{ ...plugin, files }] },
      },
    },
  ],
  [
    'self-hosted Temporal with mTLS',
    {
      temporal: {
        address: 'temporal.example.com:7233',
        tls: { enabled: true, clientSecret: 'temporal-tls', caSecret: 'temporal-ca', serverName: 'temporal' },
      },
    },
  ],
  [
    'Temporal Cloud with an API key',
    {
      temporal: {
        address: 'eu-west-1.aws.api.temporal.io:7233',
        namespace: 'fleet.a1b2c',
        apiKey: { secret: 'temporal-cloud' },
      },
    },
  ],
  [
    'releases in a volume, policies, limits on the network and one replica',
    {
      releases: { volume: { persistentVolumeClaim: { claimName: 'releases' } }, subPath: 'knative' },
      admission: { refuseClusterProfileRef: true },
      rbac: { localNamespaceRemoval: true },
      networkPolicy: {
        metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
        egress: [{ ports: [{ port: 443, protocol: 'TCP' }] }],
      },
      worker: { replicas: 1 },
      starter: { replicas: 1 },
    },
  ],
  [
    'objects for the Prometheus operator',
    { monitoring: { podMonitor: { enabled: true }, prometheusRule: { enabled: true } } },
  ],
  [
    'without roles, definitions and policies',
    { rbac: { create: false }, crds: { install: false }, networkPolicy: { enabled: false } },
  ],
];

describe('the chart on a real API server', () => {
  let fleet: Fleet;
  let folder: string;
  const running: RenderedProcess[] = [];

  beforeAll(async () => {
    const auditedUsers = Object.values(accounts);
    [fleet, folder] = await Promise.all([
      startFleet({ spokes: 1, auditedUsers, hub: { auditedUsers } }),
      temporaryFolder(),
      findBinaries(['helm']),
    ]);
  }, 600_000);

  afterAll(async () => {
    await Promise.all(running.map((process) => process.stop(45_000)));
    await fleet?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const apply = async (text: string): Promise<void> => {
    await kubectl(fleet.hub, ['apply', '--server-side', '--force-conflicts', '-f', '-'], text);
  };

  test.each(variants)('takes everything that is rendered: %s', async (_what, values) => {
    const text = await renderChart({ namespace, values: { createNamespace: true, ...values } });
    await installForeignKinds(fleet.hub, chartObjects(text));
    await apply(text);
    for (const object of chartObjects(text).filter(({ kind }) => kind === 'Deployment')) {
      const stored = await deploymentSpec(fleet.hub, object.metadata.name ?? '');
      // Fields that the API server does not know would be dropped without a word.
      expect(stored).toMatchObject(podSpecOf(object));
    }
  });

  test('takes deploy/install.yaml as it is', async () => {
    await apply(await readFile(join(root, 'deploy/install.yaml'), 'utf8'));
    const accountsFound = await kubectl(fleet.hub, ['get', 'serviceaccounts', '-n', namespace, '-o', 'name']);
    expect(accountsFound).toContain('serviceaccount/knative-fleet-worker');
  });

  test('installs and removes Serving on a spoke with the rendered settings, environment and rights', async () => {
    const { hub, spokes } = fleet;
    const [spoke] = spokes;
    if (spoke === undefined) throw new Error('a spoke is needed');
    const { address } = inject('temporal');
    const temporal = { address, namespace: `test-${randomUUID()}` };
    await createNamespace(address, temporal.namespace);
    const text = await renderChart({
      namespace,
      values: {
        createNamespace: true,
        knative_operator: { multicluster },
        releases: { volume: { hostPath: { path: testReleases.root } } },
        rbac: { localInstalls: false },
        temporal,
      },
    });
    await apply(text);
    await installClusterProfileCrd(hub);
    await ensureNamespace(hub, resourceNamespace);
    const { name, server, caPem } = spoke;
    const account = { name, server, caPem, token: await shippedSpokeIdentity(spoke) };
    await registerSpoke({ hub, spoke: account, namespace: inventoryNamespace });
    for (const component of ['worker', 'starter'] as const) running.push(await start(component, text));
    const serving = servingOn(spoke);
    await applyComponent(hub, serving);
    await untilReady(hub, serving);
    for (const process of running) {
      expect(await wellness(process.probe('livenessProbe'))).toMatch(/^200 /);
      await expect
        .poll(() => wellness(process.probe('readinessProbe')), { timeout: 30_000 })
        .toMatch(/^200 /);
    }
    await deleteComponent(hub, serving);
    await untilGone(hub, serving);
    expect((await remainsOn(spoke)).filter((remnant) => !isIdentity(remnant))).toEqual([]);
    expect(await refusedRequests(hub)).toEqual([]);
    expect(await refusedRequests(spoke)).toEqual([]);
  });

  const start = async (component: 'worker' | 'starter', text: string): Promise<RenderedProcess> => {
    const { server, caPem } = fleet.hub;
    const name = `knative-fleet-${component}`;
    const token = await serviceAccountToken(fleet.hub, { namespace, name });
    const kubeconfig = join(folder, `${component}.kubeconfig`);
    await writeFile(kubeconfig, kubeconfigOf({ server, caPem, token }), { mode: 0o600 });
    return startRenderedProcess({
      objects: chartObjects(text),
      deployment: name,
      command: [process.execPath, '--disable-warning=ExperimentalWarning', join(root, component, 'main.ts')],
      environment: {
        KUBECONFIG: kubeconfig,
        WORKFLOW_BUNDLE: inject('workflowBundle'),
      },
      folder,
    });
  };
});

/** Status and checks of a probe. */
async function wellness(probe: string): Promise<string> {
  const response = await fetch(probe);
  return `${String(response.status)} ${await response.text()}`;
}

function podSpecOf(deployment: object): Record<string, unknown> {
  const { spec } = deployment as { spec: { template: { spec: Record<string, unknown> } } };
  return spec.template.spec;
}

async function deploymentSpec(hub: Cluster, name: string): Promise<Record<string, unknown>> {
  const text = await kubectl(hub, ['get', 'deployment', name, '-n', namespace, '-o', 'json']);
  return podSpecOf(JSON.parse(text) as object);
}
