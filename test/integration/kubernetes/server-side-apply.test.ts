import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { applyObject } from '../../../adapters/kubernetes/apply-object.ts';
import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { until } from '../../../dev/processes/until.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { listAt, recordAt } from '../../../domain/manifests/object.ts';
import { createRawApi } from '../../support/raw-api.ts';
import { object, ownNamespace, spoke, spokeClient, uniqueName, workload } from './spoke-client.ts';

let client: ClusterClient;
let other: ClusterClient;
let namespace: string;
beforeAll(async () => {
  client = spokeClient();
  other = spokeClient({ fieldManager: 'other' });
  namespace = await ownNamespace(client);
});
afterAll(async () => {
  await client.close();
  await other.close();
});

const configMap = (name: string, data: object, more: object = {}) =>
  object('v1', 'ConfigMap', { name, namespace, ...more }, { data });
const reload = async ({ apiVersion, kind, metadata }: ManifestObject) => {
  const { name = '' } = metadata;
  return client.get({ apiVersion, kind, name, namespace: metadata.namespace });
};

describe('what is stored', () => {
  test('is what was sent, where names in the wire format are also words of JSON schema or of programs', async () => {
    const policy = object(
      'networking.k8s.io/v1',
      'NetworkPolicy',
      { name: 'from', namespace },
      {
        spec: { podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { a: 'b' } } }] }] },
      },
    );
    await client.apply(policy);
    expect((await reload(policy))?.['spec']).toMatchObject({
      ingress: [{ from: [{ podSelector: { matchLabels: { a: 'b' } } }] }],
    });
    const deployment = workload(
      'int-or-string',
      namespace,
      {},
      {
        strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
      },
    );
    await client.apply(deployment);
    expect(recordAt(await reload(deployment), 'spec', 'strategy', 'rollingUpdate')).toEqual({
      maxSurge: '25%',
      maxUnavailable: 1,
    });
    const role = object(
      'rbac.authorization.k8s.io/v1',
      'ClusterRole',
      { name: `${namespace}:Upper.Case` },
      { rules: [] },
    );
    await client.apply(role);
    await expect(reload(role)).resolves.toBeDefined();
    await expect(client.delete({ ...role, name: role.metadata.name ?? '' })).resolves.toBe('deleted');
  });

  test('keeps the extensions of a CRD, and its kind is served at the next try', async () => {
    const group = `${uniqueName('g')}.example.com`;
    const port = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] };
    const mode = { type: 'string', enum: ['a', 'b'], default: 'a' };
    const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { port, mode, free } } },
    };
    const crd = object(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      { name: `things.${group}` },
      {
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
        },
      },
    );
    const type = [`${group}/v1`, 'Thing'] as const;
    await expect(client.serves(...type)).resolves.toBe(false);
    const thing = object(
      type[0],
      type[1],
      { name: 'one', namespace },
      {
        spec: { port: '80%', free: { any: [1, null, 'x'] } },
      },
    );
    await expect(client.apply(thing)).rejects.toMatchObject({ kind: 'KindUnavailable' });
    await client.apply(crd);
    expect((await reload(crd))?.['spec']).toMatchObject({
      versions: [{ schema: { openAPIV3Schema: schema } }],
    });
    client.invalidateDiscovery();
    await until('the kind is served', 10_000, async () => (await client.serves(...type)) || undefined);
    const applied = await until('the kind takes objects', 10_000, () => client.apply(thing));
    expect(applied).toMatchObject({ created: true, object: { spec: { port: '80%', mode: 'a' } } });
    await client.delete({ ...crd, name: crd.metadata.name ?? '' });
    await until('the kind is gone', 10_000, async () => {
      client.invalidateDiscovery();
      return (await client.serves(...type)) ? undefined : true;
    });
    await expect(client.delete({ ...thing, name: 'one', namespace })).resolves.toBe('gone');
  });
});

describe('a refused apply', () => {
  const port = (more: object) => ({ ports: [{ name: 'http', port: 80, ...more }] });
  const service = (name: string, spec: object) => object('v1', 'Service', { name, namespace }, { spec });

  test.each<[kind: string, what: string, refused: () => ManifestObject, message: RegExp]>([
    [
      'Conflict',
      'a stale resourceVersion',
      () => configMap('kept', { a: '1' }, { resourceVersion: '1' }),
      /409/,
    ],
    [
      'ApplyRejected',
      'the UID of another object',
      () => configMap('kept', {}, { uid: uniqueName('u') }),
      /4\d\d/,
    ],
    [
      'ApplyRejected',
      'a field that does not exist',
      () => workload('unknown', namespace, { imagePullPolcy: 'Always' }),
      /imagePullPolcy/,
    ],
    ['ApplyRejected', 'a value of a wrong type', () => workload('type', namespace, { image: 5 }), /image/],
    [
      'ApplyRejected',
      'two elements with one key',
      () =>
        workload('twice', namespace, {
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        }),
      /duplicate/,
    ],
    [
      'ApplyRejected',
      'a truth value for a number or a text',
      () => service('bool', port({ targetPort: true })),
      /500/,
    ],
    [
      'ApplyRejected',
      'managedFields',
      () => configMap('managed', {}, { managedFields: [{ manager: 'x' }] }),
      /400/,
    ],
    [
      'ApplyRejected',
      'a name to be generated',
      () => object('v1', 'ConfigMap', { generateName: 'a-', namespace }),
      /name/,
    ],
    ['ApplyRejected', 'no namespace', () => object('v1', 'ConfigMap', { name: 'a' }), /metadata\.namespace/],
    ['ApplyRejected', 'too much data', () => configMap('big', { a: 'x'.repeat(1_100_000) }), /422/],
    [
      'ApplyRejected',
      'a request that is too large',
      () => configMap('big', { a: 'x'.repeat(3_200_000) }),
      /413/,
    ],
    [
      'NotFound',
      'a namespace that is not there',
      () => object('v1', 'ConfigMap', { name: 'a', namespace: 'nowhere' }),
      /nowhere/,
    ],
    [
      'KindUnavailable',
      'a group that is not there',
      () => object('nowhere.example/v1', 'Thing', { name: 'a' }),
      /no matches for kind "Thing" in version "nowhere\.example\/v1"/,
    ],
  ])('is %s for %s', async (kind, _, refused, message) => {
    await client.apply(configMap('kept', { a: '1' }));
    await expect(client.apply(refused())).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(message) as string,
    });
  });

  test.each<[string, ManifestObject, (before: ManifestObject) => ManifestObject]>([
    [
      'the selector of a Deployment',
      workload('selector', 'x'),
      ({ metadata }) => ({ ...workload('another', 'x'), metadata }),
    ],
    [
      'the template of a Job',
      object(
        'batch/v1',
        'Job',
        { name: 'job', namespace: 'x' },
        { spec: { suspend: true, template: podTemplate('a') } },
      ),
      (job) => ({ ...job, spec: { suspend: true, template: podTemplate('b') } }),
    ],
    [
      'the role of a binding',
      object(
        'rbac.authorization.k8s.io/v1',
        'RoleBinding',
        { name: 'binding', namespace: 'x' },
        roleRef('view'),
      ),
      (binding) => ({ ...binding, ...roleRef('edit') }),
    ],
    [
      'the address of a Service',
      object('v1', 'Service', { name: 'address', namespace: 'x' }, { spec: port({}) }),
      (address) => ({ ...address, spec: { ...port({}), clusterIP: '10.0.0.77' } }),
    ],
  ])('is ApplyRejected for %s, which cannot change', async (_, template, change) => {
    const first = { ...template, metadata: { ...template.metadata, namespace } };
    await client.apply(first);
    await expect(client.apply(change(first), { force: true })).rejects.toMatchObject({
      kind: 'ApplyRejected',
      message: expect.stringMatching(/422/) as string,
    });
  });

  test('is ApplyConflict for a field of another manager, and names both', async () => {
    await other.apply(configMap('owned', { a: 'theirs' }));
    await expect(client.apply(configMap('owned', { a: 'ours' }))).rejects.toMatchObject({
      kind: 'ApplyConflict',
      message: expect.stringMatching(/ConfigMap .*\/owned .*\.data\.a \(other\)/) as string,
      cause: { conflicts: [{ field: '.data.a', manager: 'other' }] },
    });
    await client.apply(configMap('owned', { a: 'ours' }), { force: true });
    expect((await reload(configMap('owned', {})))?.['data']).toEqual({ a: 'ours' });
  });

  test('is NamespaceTerminating while the namespace goes', async () => {
    const going = await ownNamespace(client);
    const holder = { apiVersion: 'v1', kind: 'ConfigMap', namespace: going, name: 'holder' };
    await client.apply(
      object('v1', 'ConfigMap', { name: 'holder', namespace: going, finalizers: ['x.example/y'] }),
    );
    await expect(client.delete({ apiVersion: 'v1', kind: 'Namespace', name: going })).resolves.toBe(
      'deleting',
    );
    await expect(
      client.apply(object('v1', 'ConfigMap', { name: 'late', namespace: going })),
    ).rejects.toMatchObject({
      kind: 'NamespaceTerminating',
    });
    await client.patch(holder, { type: 'merge', body: { metadata: { finalizers: [] } } });
  });

  test('is RemoteClientCreationFailed for an unknown token and SpokeForbidden without rights', async () => {
    const unknown = spokeClient({}, { credential: () => Promise.resolve({ token: 'unknown' }) });
    await expect(unknown.apply(configMap('a', {}))).rejects.toMatchObject({
      kind: 'RemoteClientCreationFailed',
    });
    await client.apply(object('v1', 'ServiceAccount', { name: 'powerless', namespace }));
    const token = await tokenOf('powerless');
    const powerless = spokeClient({}, { credential: () => Promise.resolve({ token }) });
    await expect(powerless.apply(configMap('a', {}))).rejects.toMatchObject({
      kind: 'SpokeForbidden',
      message: expect.stringMatching(/cannot patch resource "configmaps"/) as string,
    });
    await unknown.close();
    await powerless.close();
  });

  test('leaves nothing behind when it is only tried', async () => {
    await expect(client.apply(configMap('dry', { a: '1' }), { dryRun: true })).resolves.toMatchObject({
      created: true,
    });
    await expect(reload(configMap('dry', {}))).resolves.toBeUndefined();
  });
});

describe('applyObject', () => {
  const rule = (name: string) => ({
    apiGroups: ['x.example'],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: [name],
  });
  const hook = (name: string, rules: readonly object[]) => ({
    name,
    rules,
    clientConfig: { url: 'https://127.0.0.1:1/' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  });
  const webhooks = (name: string, ...hooks: readonly object[]) =>
    object('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', { name }, { webhooks: hooks });

  test('leaves rules to the webhook that wrote them, and keeps those that nobody else wrote', async () => {
    const name = uniqueName('hooks');
    const ours = webhooks(name, hook('a.example.com', [rule('as')]), hook('b.example.com', [rule('bs')]));
    const ceded = ['webhooks[].rules'];
    await expect(applyObject(client, ours, { ceded })).resolves.toMatchObject({ created: true, ceded: [] });
    const stored = await reload(ours);
    const theirs = [{ ...recordAt(listAt(stored, 'webhooks')[0]), rules: [rule('theirs')] }];
    await other.replace({
      ...(stored as ManifestObject),
      webhooks: [...theirs, listAt(stored, 'webhooks')[1]],
    });

    const applied = await applyObject(client, ours, { ceded });
    expect(applied).toMatchObject({ created: false, ceded: ['.webhooks[name="a.example.com"].rules'] });
    const again = await applyObject(client, ours, { ceded });
    expect(again.metadata.resourceVersion).toBe(applied.metadata.resourceVersion);
    const rules = listAt(await reload(ours), 'webhooks').map((item) => recordAt(item)['rules']);
    expect(rules).toMatchObject([[{ resources: ['theirs'] }], [{ resources: ['bs'] }]]);
    await client.delete({ ...ours, name });
  });

  test('leaves replicas to whoever scaled the workload', async () => {
    const deployment = workload('scaled', namespace);
    await applyObject(client, deployment, { ceded: ['spec.replicas'] });
    await kubectl(spoke(), ['-n', namespace, 'scale', 'deployment/scaled', '--replicas=2']);
    // kubectl yields to us otherwise; this stands for an autoscaler.
    const raw = createRawApi(spoke());
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/scaled/scale?fieldManager=hpa`;
    const contentType = 'application/merge-patch+json';
    await raw.send({ method: 'PATCH', path, contentType, body: { spec: { replicas: 3 } } });
    await raw.close();
    await applyObject(client, deployment, { ceded: ['spec.replicas'] });
    expect(recordAt(await reload(deployment), 'spec')['replicas']).toBe(3);
    await expect(applyObject(client, deployment, { ceded: [] })).rejects.toMatchObject({
      kind: 'ApplyConflict',
      message: expect.stringMatching(/\.spec\.replicas \(hpa\)/) as string,
    });
  });

  test('takes over what kubectl and the Go operator wrote', async () => {
    await kubectl(spoke(), ['apply', '-f', '-'], JSON.stringify(configMap('taken', { a: 'kubectl' })));
    const go = spokeClient({ fieldManager: 'manifestival' });
    await go.create(configMap('taken-too', { a: 'go' }));
    for (const name of ['taken', 'taken-too']) {
      await applyObject(client, configMap(name, { a: 'ours' }), { ceded: [] });
      expect((await reload(configMap(name, {})))?.['data']).toEqual({ a: 'ours' });
    }
    await go.close();
  });
});

function podTemplate(image: string): object {
  return { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } };
}

function roleRef(name: string): object {
  return { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name } };
}

async function tokenOf(account: string): Promise<string> {
  const raw = createRawApi(spoke());
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const answer = await raw.send({ method: 'POST', path, body });
  await raw.close();
  return String(recordAt(answer.body, 'status')['token']);
}
