import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { until } from '../../../dev/processes/until.ts';

const run = randomUUID().slice(0, 8);
const namespace = `workloads-${run}`;
const cluster = inject('fleet').hub;

const apply = (...objects: object[]): Promise<string> =>
  kubectl(cluster, ['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));

const read = async (...what: string[]): Promise<unknown> =>
  JSON.parse(await kubectl(cluster, ['get', '-n', namespace, '-o', 'json', ...what]));

const waitFor = (condition: string, name: string): Promise<string> =>
  kubectl(cluster, ['wait', '-n', namespace, `--for=${condition}`, name, '--timeout=60s']);

const podSpec = { containers: [{ name: 'main', image: 'example.com/none' }] };

const deployment = (name: string, spec: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec },
  },
});

beforeAll(async () => {
  await kubectl(cluster, ['create', 'namespace', namespace]);
});

describe('startFleet', () => {
  test('makes a Deployment of two replicas available', async () => {
    await apply(deployment('web', podSpec));
    await waitFor('condition=Available', 'deployment/web');
    expect(await read('deployment/web')).toMatchObject({
      status: { readyReplicas: 2, availableReplicas: 2 },
    });
  });

  test('leaves a Deployment unavailable whose Pods fit on no node', async () => {
    await apply(deployment('nowhere', { ...podSpec, nodeSelector: { disk: 'none' } }));
    await waitFor('jsonpath={.status.replicas}=2', 'deployment/nowhere');
    expect(await read('deployment/nowhere')).not.toHaveProperty('status.availableReplicas');
  });

  test('runs init containers before it makes a Pod ready', async () => {
    const initContainers = [{ name: 'first', image: 'example.com/none' }];
    await apply(deployment('staged', { ...podSpec, initContainers }));
    await waitFor('condition=Available', 'deployment/staged');
    const pods = await read('pods', '-l', 'app=staged');
    expect(pods).toHaveProperty('items.0.status.initContainerStatuses.0.state.terminated.exitCode', 0);
  });

  test('completes a Job', async () => {
    await kubectl(cluster, ['create', 'job', '-n', namespace, 'once', '--image=example.com/none']);
    await waitFor('condition=Complete', 'job/once');
    expect(await read('job/once')).toMatchObject({ status: { succeeded: 1 } });
  });

  test('gives a Service the addresses of its Pods', async () => {
    await apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    });
    await waitFor('create', 'endpoints/web');
    await waitFor('jsonpath={.subsets[0].addresses[0].ip}', 'endpoints/web');
    expect(await read('endpoints/web')).toHaveProperty('subsets.0.ports.0.port', 80);
  });

  test('collects an object after its owner is deleted', async () => {
    await kubectl(cluster, ['create', 'configmap', '-n', namespace, 'owner']);
    const { metadata } = (await read('configmap/owner')) as { metadata: { uid: string } };
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }];
    await apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'owned', namespace, ownerReferences },
    });
    await kubectl(cluster, ['delete', 'configmap', '-n', namespace, 'owner']);
    await expect(waitFor('delete', 'configmap/owned')).resolves.toBeDefined();
  });

  test('fills the rules of an aggregated ClusterRole', async () => {
    const label = `aggregate-${run}`;
    await apply(
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: `${label}-all` },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] },
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: `${label}-part`, labels: { [label]: 'true' } },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      },
    );
    await waitFor('jsonpath={.rules[0].resources[0]}=pods', `clusterrole/${label}-all`);
    expect(await read(`clusterrole/${label}-all`)).toHaveProperty('rules.length', 1);
  });

  test('finishes the deletion of a namespace with a running Deployment', async () => {
    await kubectl(cluster, ['delete', 'namespace', namespace, '--wait=false']);
    const gone = async (): Promise<true | undefined> => {
      const left = await kubectl(cluster, [
        'get',
        'namespace',
        namespace,
        '--ignore-not-found',
        '-o',
        'name',
      ]);
      return left === '' ? true : undefined;
    };
    expect(await until(`namespace ${namespace} is gone`, 90_000, gone)).toBe(true);
  });
});
