import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { componentApi, componentKinds } from '../../../domain/api/component-ref.ts';
import type { ResourceApi } from '../../support/resource-api.ts';
import { openResourceApi, succeed } from '../../support/resource-api.ts';

const run = promisify(execFile);

let api: ResourceApi;
beforeAll(async () => {
  api = await openResourceApi();
});
afterAll(() => api.close());

async function kubectlGet(
  resource: string,
  ...more: readonly string[]
): Promise<readonly (readonly string[])[]> {
  const { kubectlPath, kubeconfigPath } = inject('fleet').hub;
  const args = ['--kubeconfig', kubeconfigPath, '--namespace', api.namespace, 'get', resource, ...more];
  const { stdout } = await run(kubectlPath, args);
  const lines = stdout.trimEnd().split('\n');
  return lines.map((line) => line.split(/\s{2,}/).map((cell) => cell.trim()));
}

describe.each(componentKinds)('kubectl get of %s', (kind) => {
  const resource = `${componentApi[kind].plural}.${componentApi.group}`;

  beforeAll(async () => {
    const profile = { name: 'edge-1', namespace: 'fleet' };
    const spec = { destination: { clusterProfileRef: profile, namespace: 'kn' } };
    const path = api.path(kind, 'sample');
    const { body } = await succeed(api.apply(path, api.resource(kind, 'sample', spec)));
    const status = {
      targetCluster: 'fleet/edge-1',
      targetNamespace: 'kn',
      version: '1.22.1',
      conditions: [
        { type: 'InstallSucceeded', status: 'True' },
        { type: 'Ready', status: 'False', reason: 'NotReady', message: 'Waiting on deployments: webhook' },
      ],
    };
    await succeed(api.send({ method: 'PUT', path: `${path}/status`, body: { ...body, status } }));
    await succeed(api.apply(api.path(kind, 'unseen'), api.resource(kind, 'unseen', undefined)));
  });

  test('shows target cluster, version, Ready, reason and age', async () => {
    const [header, row] = await kubectlGet(resource, 'sample');
    expect(header).toEqual(['NAME', 'TARGET CLUSTER', 'VERSION', 'READY', 'REASON', 'AGE']);
    expect(row?.slice(0, 5)).toEqual(['sample', 'fleet/edge-1', '1.22.1', 'False', 'NotReady']);
    expect(row?.[5]).toMatch(/^\d+[smh]/);
  });

  test('shows the target namespace beside the target cluster in the wide form', async () => {
    const [header, row] = await kubectlGet(resource, 'sample', '--output', 'wide');
    expect(header?.slice(0, 3)).toEqual(['NAME', 'TARGET CLUSTER', 'TARGET NAMESPACE']);
    expect(row?.slice(0, 3)).toEqual(['sample', 'fleet/edge-1', 'kn']);
  });

  test('shows a resource that nobody has looked at yet', async () => {
    const [, row] = await kubectlGet(resource, 'unseen');
    expect(row?.[0]).toBe('unseen');
  });
});
