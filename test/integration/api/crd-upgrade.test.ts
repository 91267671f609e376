import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { until } from '../../../dev/processes/until.ts';
import { componentApi, componentKinds } from '../../../domain/api/component-ref.ts';
import type { ResourceApi } from '../../support/resource-api.ts';
import { openResourceApi, succeed } from '../../support/resource-api.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const goCrds = resolve(root, '../shared/crds');

let api: ResourceApi;
let folder: string;
beforeAll(async () => {
  api = await openResourceApi();
  folder = await mkdtemp(join(tmpdir(), 'crd-upgrade-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await api.close();
});

async function kubectl(...args: readonly string[]): Promise<void> {
  const { kubectlPath, kubeconfigPath } = inject('fleet').hub;
  await run(kubectlPath, ['--kubeconfig', kubeconfigPath, ...args]);
}

/** Ways in which people install CRDs. */
const ways = [
  { way: 'kubectl apply', args: ['apply'] },
  { way: 'kubectl apply --server-side', args: ['apply', '--server-side', '--force-conflicts'] },
];

describe.runIf(existsSync(goCrds)).each(componentKinds)('the CRD of %s', (kind) => {
  const { plural } = componentApi[kind];

  test.each(ways)(
    'takes the place of the one of the Go operator by $way and keeps its resources',
    async ({ args }) => {
      const group = `g${randomUUID().slice(0, 8)}.example.com`;
      const file = async (path: string) => {
        const text = await readFile(path, 'utf8');
        const copy = join(folder, `${group}.yaml`);
        await writeFile(copy, text.replaceAll(componentApi.group, group));
        return copy;
      };
      const name = `${componentApi.group}_${plural}.yaml`;
      await kubectl('apply', '-f', await file(join(goCrds, name)));
      const path = `/apis/${group}/v1beta1/namespaces/${api.namespace}/${plural}/old`;
      const spec = { clusterProfileRef: { name: 'edge-1', namespace: 'fleet' }, version: '1.21' };
      const resource = { apiVersion: `${group}/v1beta1`, kind, metadata: { name: 'old' }, spec };
      const create = { method: 'POST', path: path.slice(0, -'/old'.length), body: resource } as const;
      await until('the resource is created', 30_000, async () =>
        (await api.send(create)).status === 201 ? true : undefined,
      );

      await kubectl(...args, '-f', await file(join(root, 'deploy/crds', name)));

      const changed = { ...resource, spec: { ...spec, paused: true } };
      await until('the new schema is in force', 30_000, async () => {
        const { body } = await succeed(api.apply(path, changed, '&dryRun=All&fieldValidation=Ignore'));
        return (body['spec'] as Record<string, unknown>)['paused'] === true ? true : undefined;
      });
      const { body } = await succeed(api.apply(path, changed));
      expect(body['spec']).toEqual(changed.spec);
      await kubectl('delete', 'crd', `${plural}.${group}`, '--wait=false');
    },
  );
});
