import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isOutdatedJob, removeOutdatedJob } from '../../../activities/apply/remove-outdated-job.ts';
import { applyObject } from '../../../adapters/kubernetes/apply-object.ts';
import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { listAt, stringAt } from '../../../domain/manifests/object.ts';
import { object, ownNamespace, spokeClient } from './spoke-client.ts';

let client: ClusterClient;
let namespace: string;
beforeAll(async () => {
  client = spokeClient();
  namespace = await ownNamespace(client);
});
afterAll(() => client.close());

const { signal } = new AbortController();
const podSpec = (image: string) => ({ restartPolicy: 'Never', containers: [{ name: 'migrate', image }] });
const job = (name: string, image: string, annotations: Readonly<Record<string, string>>) =>
  object(
    'batch/v1',
    'Job',
    { name, namespace, annotations },
    { spec: { template: { spec: podSpec(image) } } },
  );
const mine = { 'fleet.knative.dev/owner': 'me' };

const imageOf = async ({ metadata: { name = '' } }: ManifestObject) => {
  const found = await client.get({ apiVersion: 'batch/v1', kind: 'Job', namespace, name });
  return stringAt(listAt(found, 'spec', 'template', 'spec', 'containers')[0], 'image');
};

async function refusalOf(wanted: ManifestObject): Promise<unknown> {
  return applyObject(client, wanted, { ceded: [] }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a Job whose template has to change', () => {
  test('is refused by the API server, and taken for outdated, in words that fit on a screen', async () => {
    await client.apply(job('refused', 'example.test/one', mine));
    const wanted = job('refused', 'example.test/two', mine);
    const refusal = await refusalOf(wanted);
    expect(isOutdatedJob(wanted, refusal)).toBe(true);
    expect(String(refusal)).toMatch(/spec\.template cannot be changed/);
    expect(String(refusal).length).toBeLessThan(300);
  });

  test.each([
    ['this component', mine],
    ['the Go operator', { manifestival: 'new' }],
  ])('makes way for the wanted one when %s made it', async (who, annotations) => {
    const name = who.toLowerCase().replaceAll(' ', '-');
    await client.apply(job(name, 'example.test/one', annotations));
    const wanted = job(name, 'example.test/two', mine);
    await removeOutdatedJob(client, wanted, await refusalOf(wanted), { signal });
    await client.apply(wanted);
    expect(await imageOf(wanted)).toBe('example.test/two');
    await removeOutdatedJob(client, job('absent', 'example.test/two', mine), new Error('refused'), {
      signal,
    });
  });

  test('makes way for the wanted one when the inventory that was taken over has it', async () => {
    const former = await client.apply(
      job('taken-over', 'example.test/one', { 'fleet.knative.dev/owner': 'before' }),
    );
    const wanted = job('taken-over', 'example.test/two', mine);
    const recordedUID = former.object.metadata.uid;
    await removeOutdatedJob(client, wanted, await refusalOf(wanted), { signal, recordedUID });
    await client.apply(wanted);
    expect(await imageOf(wanted)).toBe('example.test/two');
  });

  test.each([
    ['nobody known', {}],
    ['another component', { 'fleet.knative.dev/owner': 'you' }],
  ])('stays, and the refusal is shown, when %s made it', async (who, annotations) => {
    const name = `of-${who.replaceAll(' ', '-')}`;
    await client.apply(job(name, 'example.test/one', annotations));
    const wanted = job(name, 'example.test/two', mine);
    const refusal = new Error('refused');
    await expect(removeOutdatedJob(client, wanted, refusal, { signal })).rejects.toBe(refusal);
    expect(await imageOf(wanted)).toBe('example.test/one');
  });

  test('is not taken for outdated when it is invalid, and nor is anything else that cannot be changed', async () => {
    const invalid = job('refused', 'example.test/one', { ...mine, 'not a name': '' });
    expect(isOutdatedJob(invalid, await refusalOf(invalid))).toBe(false);
    const immutable = (data: object) =>
      object('v1', 'ConfigMap', { name: 'fixed', namespace }, { immutable: true, data });
    await client.apply(immutable({ a: '1' }));
    const changed = immutable({ a: '2' });
    expect(isOutdatedJob(changed, await refusalOf(changed))).toBe(false);
  });
});
