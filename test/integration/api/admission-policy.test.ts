import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { until } from '../../../dev/processes/until.ts';
import { componentKinds } from '../../../domain/api/component-ref.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { recordAt } from '../../../domain/manifests/object.ts';
import type { ResourceApi } from '../../support/resource-api.ts';
import { openResourceApi, repositoryObjects, succeed } from '../../support/resource-api.ts';

const file = 'deploy/admission/refuse-cluster-profile-ref.yaml';
const profile = { name: 'edge-1', namespace: 'fleet' };
const suffix = randomUUID().slice(0, 8);

let api: ResourceApi;
let objects: readonly ManifestObject[];

const plural: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
};
const pathOf = (object: ManifestObject) =>
  `/apis/${object.apiVersion}/${plural[object.kind] ?? ''}/${object.metadata.name ?? ''}`;

/** The shipped objects under names of this test, bound to its namespace only, so that other tests go on undisturbed. */
function confined(object: ManifestObject): ManifestObject {
  const metadata = { name: `${object.metadata.name ?? ''}-${suffix}` };
  if (object.kind === 'ValidatingAdmissionPolicy') return { ...object, metadata };
  const policyName = `${String(recordAt(object, 'spec')['policyName'])}-${suffix}`;
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': api.namespace } };
  return {
    ...object,
    metadata,
    spec: { ...recordAt(object, 'spec'), policyName, matchResources: { namespaceSelector } },
  };
}

beforeAll(async () => {
  api = await openResourceApi();
  for (const kind of componentKinds) {
    await succeed(
      api.apply(api.path(kind, 'old'), api.resource(kind, 'old', { clusterProfileRef: profile })),
    );
  }
  objects = (await repositoryObjects(file)).map(confined);
  for (const object of objects) await succeed(api.apply(pathOf(object), object));
  await until('the policy is in force', 30_000, async () => {
    const body = api.resource('KnativeServing', 'probe', { clusterProfileRef: profile });
    const path = `${api.path('KnativeServing')}?dryRun=All`;
    const { status } = await api.send({ method: 'POST', path, body });
    return status === 422 || undefined;
  });
});

afterAll(async () => {
  for (const object of objects) await api.send({ method: 'DELETE', path: pathOf(object) });
  await api.close();
});

describe('refuse-cluster-profile-ref.yaml', () => {
  test('has a policy and its binding, which denies', () => {
    expect(objects.map(({ kind }) => kind)).toEqual(Object.keys(plural));
    expect(recordAt(objects[1], 'spec')['validationActions']).toEqual(['Deny']);
  });

  test('has expressions that the API server finds nothing wrong with', async () => {
    const [policy] = objects;
    if (policy === undefined) throw new Error('the file has no policy');
    const { body } = await succeed(api.send({ method: 'GET', path: pathOf(policy) }));
    expect(recordAt(body, 'status', 'typeChecking')).toEqual({});
  });
});

describe.each(componentKinds)('%s under the policy', (kind) => {
  const post = (spec: unknown) =>
    api.send({ method: 'POST', path: `${api.path(kind)}?dryRun=All`, body: api.resource(kind, 'new', spec) });

  test('refuses the field of 1.22 and names the field to use', async () => {
    const object = api.resource(kind, 'new', { clusterProfileRef: profile });
    const answers = [
      await post({ clusterProfileRef: profile }),
      await api.apply(api.path(kind, 'new'), object, '&dryRun=All'),
    ];
    for (const { status, message } of answers) {
      expect({ status, message }).toEqual({
        status: 422,
        message: expect.stringContaining('name the ClusterProfile in spec.destination.clusterProfileRef'),
      });
    }
  });

  test.each([
    ['a destination', { destination: { clusterProfileRef: profile } }],
    ['an empty spec', {}],
    ['no spec', undefined],
  ])('accepts %s', async (_what, spec) => {
    expect(await post(spec)).toMatchObject({ status: 201 });
  });

  test('lets a resource that has the field be changed and deleted', async () => {
    const changed = api.resource(kind, 'old', { clusterProfileRef: profile, version: '1.22' });
    expect(await api.apply(api.path(kind, 'old'), changed)).toMatchObject({ status: 200 });
    expect(await api.send({ method: 'DELETE', path: api.path(kind, 'old') })).toMatchObject({ status: 200 });
  });
});
