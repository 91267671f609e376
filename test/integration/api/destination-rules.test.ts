import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ComponentKind } from '../../../domain/api/component-ref.ts';
import { componentApi, componentKinds } from '../../../domain/api/component-ref.ts';
import type { JsonRecord, ManifestObject } from '../../../domain/manifests/object.ts';
import { isRecord, recordAt } from '../../../domain/manifests/object.ts';
import type { RawAnswer } from '../../support/raw-api.ts';
import type { ResourceApi } from '../../support/resource-api.ts';
import { openResourceApi, succeed } from '../../support/resource-api.ts';

type Spec = JsonRecord | undefined;

let api: ResourceApi;
beforeAll(async () => {
  api = await openResourceApi();
});
afterAll(() => api.close());

const profile = { name: 'edge-1', namespace: 'fleet' };
const destination = { clusterProfileRef: profile, namespace: 'kn' };

const immutable =
  'spec.destination is immutable; to move the component, delete the resource and create it again';
const kept =
  'spec.destination cannot be added or removed after creation; to move the component, delete the resource';
const oldImmutable = 'spec.clusterProfileRef is immutable';
const oldKept = 'spec.clusterProfileRef cannot be added or removed after creation';
const both =
  'spec.destination and spec.clusterProfileRef cannot be used together; keep spec.destination only';

/** What pull request 2344 of the Go operator would judge otherwise; see the decision on spec.destination. */
const unlike2344 = '(deliberately unlike pull request 2344)';

describe.each(componentKinds)('%s: creation', (kind) => {
  const long = (length: number) => 'a'.repeat(length);
  const to = (ref: unknown, namespace: unknown = 'kn') => ({
    destination: { clusterProfileRef: ref, namespace },
  });

  test.each<{ what: string; spec: Spec; refused?: string }>([
    { what: 'no spec', spec: undefined },
    { what: 'an empty spec', spec: {} },
    { what: 'a destination', spec: { destination } },
    { what: `the field of 1.22 ${unlike2344}`, spec: { clusterProfileRef: profile } },
    {
      what: 'any non-empty name in the field of 1.22',
      spec: { clusterProfileRef: { name: 'Edge 1', namespace: 'A.b' } },
    },
    { what: 'names of the greatest length', spec: to({ name: long(253), namespace: long(63) }, long(63)) },
    { what: 'a profile name with dots', spec: to({ name: 'a.b-c.d', namespace: 'fleet' }) },
    { what: 'both spellings', spec: { destination, clusterProfileRef: profile }, refused: both },
    {
      what: 'a destination without profile',
      spec: { destination: {} },
      refused: 'spec.destination.clusterProfileRef: Required',
    },
    {
      what: 'a profile without namespace',
      spec: to({ name: 'a' }),
      refused: 'spec.destination.clusterProfileRef.namespace: Required',
    },
    {
      what: 'a profile without name',
      spec: to({ namespace: 'a' }),
      refused: 'spec.destination.clusterProfileRef.name: Required',
    },
    {
      what: 'an empty profile name',
      spec: to({ name: '', namespace: 'a' }),
      refused: 'spec.destination.clusterProfileRef.name',
    },
    {
      what: 'a profile name in capitals',
      spec: to({ name: 'Edge', namespace: 'a' }),
      refused: 'spec.destination.clusterProfileRef.name',
    },
    {
      what: 'a profile name with an empty part',
      spec: to({ name: 'a..b', namespace: 'a' }),
      refused: 'spec.destination.clusterProfileRef.name',
    },
    {
      what: 'a profile name that is too long',
      spec: to({ name: long(254), namespace: 'a' }),
      refused: 'spec.destination.clusterProfileRef.name: Too long',
    },
    {
      what: 'a profile namespace with a dot',
      spec: to({ name: 'a', namespace: 'a.b' }),
      refused: 'spec.destination.clusterProfileRef.namespace',
    },
    {
      what: 'a profile namespace that is too long',
      spec: to({ name: 'a', namespace: long(64) }),
      refused: 'spec.destination.clusterProfileRef.namespace: Too long',
    },
    {
      what: 'an install namespace with a dot',
      spec: to(profile, 'a.b'),
      refused: 'spec.destination.namespace',
    },
    { what: 'an empty install namespace', spec: to(profile, ''), refused: 'spec.destination.namespace' },
    {
      what: 'an install namespace that is too long',
      spec: to(profile, long(64)),
      refused: 'spec.destination.namespace: Too long',
    },
    {
      what: 'the field of 1.22 without namespace',
      spec: { clusterProfileRef: { name: 'a' } },
      refused: 'spec.clusterProfileRef.namespace: Required',
    },
    {
      what: 'the field of 1.22 with an empty name',
      spec: { clusterProfileRef: { name: '', namespace: 'a' } },
      refused: 'spec.clusterProfileRef.name',
    },
  ])('judges $what alike for create and server-side apply', async ({ spec, refused }) => {
    const object = api.resource(kind, 'sample', spec);
    const answers = [
      await api.send({ method: 'POST', path: `${api.path(kind)}?dryRun=All`, body: object }),
      await api.apply(api.path(kind, 'sample'), object, '&dryRun=All'),
    ];
    expect(answers).toMatchObject([verdict(refused, 201), verdict(refused, 201)]);
  });

  test.each<{ what: string; spec: JsonRecord; namespace: string | undefined }>([
    {
      what: `fills in the namespace of the kind ${unlike2344}`,
      spec: { destination: { clusterProfileRef: profile } },
      namespace: componentApi[kind].defaultNamespace,
    },
    { what: 'keeps the namespace that is given', spec: { destination }, namespace: 'kn' },
    {
      what: 'adds no destination to the field of 1.22',
      spec: { clusterProfileRef: profile },
      namespace: undefined,
    },
    { what: 'adds no destination to an empty spec', spec: {}, namespace: undefined },
  ])('$what', async ({ spec, namespace }) => {
    const object = api.resource(kind, 'sample', spec);
    const { body } = await succeed(
      api.send({ method: 'POST', path: `${api.path(kind)}?dryRun=All`, body: object }),
    );
    expect(recordAt(body, 'spec', 'destination')['namespace']).toBe(namespace);
  });
});

/** Ways to change an existing resource from one spec to another. */
const writes: Readonly<
  Record<string, (kind: ComponentKind, before: ManifestObject, spec: Spec) => Promise<RawAnswer>>
> = {
  update: (kind, before, spec) => {
    const { spec: _old, ...rest } = before;
    return api.send({
      method: 'PUT',
      path: api.path(kind, before.metadata.name),
      body: spec === undefined ? rest : { ...rest, spec },
    });
  },
  'merge patch': (kind, before, spec) =>
    api.send({
      method: 'PATCH',
      path: api.path(kind, before.metadata.name),
      contentType: 'application/merge-patch+json',
      body: { spec: mergePatch(before['spec'], spec) },
    }),
  'JSON patch': (kind, before, spec) =>
    api.send({
      method: 'PATCH',
      path: api.path(kind, before.metadata.name),
      contentType: 'application/json-patch+json',
      body: [
        spec === undefined ? { op: 'remove', path: '/spec' } : { op: 'add', path: '/spec', value: spec },
      ],
    }),
  'server-side apply': (kind, before, spec) => {
    const name = before.metadata.name ?? '';
    return api.apply(api.path(kind, name), api.resource(kind, name, spec));
  },
};

const changes: readonly { what: string; from: Spec; to: Spec; refused?: readonly string[] }[] = [
  {
    what: 'another install namespace',
    from: { destination },
    to: { destination: { ...destination, namespace: 'other' } },
    refused: [immutable],
  },
  {
    what: 'another profile name',
    from: { destination },
    to: { destination: { ...destination, clusterProfileRef: { ...profile, name: 'edge-2' } } },
    refused: [immutable],
  },
  {
    what: 'another profile namespace',
    from: { destination },
    to: { destination: { ...destination, clusterProfileRef: { ...profile, namespace: 'b' } } },
    refused: [immutable],
  },
  {
    what: 'an install namespace left out that is not the default',
    from: { destination },
    to: { destination: { clusterProfileRef: profile } },
    refused: [immutable],
  },
  {
    what: 'the destination removed',
    from: { destination, version: '1.22' },
    to: { version: '1.22' },
    refused: [kept],
  },
  {
    what: 'the whole spec removed with its destination',
    from: { destination },
    to: undefined,
    refused: [kept],
  },
  {
    what: 'a destination added to a spec',
    from: { version: '1.22' },
    to: { version: '1.22', destination },
    refused: [kept],
  },
  {
    what: 'a destination added where there was no spec',
    from: undefined,
    to: { destination },
    refused: [kept],
  },
  {
    what: 'another name in the field of 1.22',
    from: { clusterProfileRef: profile },
    to: { clusterProfileRef: { ...profile, name: 'edge-2' } },
    refused: [oldImmutable],
  },
  {
    what: 'another namespace in the field of 1.22',
    from: { clusterProfileRef: profile },
    to: { clusterProfileRef: { ...profile, namespace: 'b' } },
    refused: [oldImmutable],
  },
  {
    what: 'the field of 1.22 removed',
    from: { clusterProfileRef: profile, version: '1.22' },
    to: { version: '1.22' },
    refused: [oldKept],
  },
  {
    what: 'the whole spec removed with the field of 1.22',
    from: { clusterProfileRef: profile },
    to: undefined,
    refused: [oldKept],
  },
  {
    what: 'the field of 1.22 added to a spec',
    from: { version: '1.22' },
    to: { version: '1.22', clusterProfileRef: profile },
    refused: [oldKept],
  },
  {
    what: 'the field of 1.22 added where there was no spec',
    from: undefined,
    to: { clusterProfileRef: profile },
    refused: [oldKept],
  },
  {
    what: 'the old spelling replaced by the new one',
    from: { clusterProfileRef: profile },
    to: { destination },
    refused: [kept, oldKept],
  },
  {
    what: 'the new spelling replaced by the old one',
    from: { destination },
    to: { clusterProfileRef: profile },
    refused: [kept, oldKept],
  },
  {
    what: 'the old spelling added to the new one',
    from: { destination },
    to: { destination, clusterProfileRef: profile },
    refused: [both, oldKept],
  },
  {
    what: 'another version beside the destination',
    from: { destination },
    to: { destination, version: '1.22' },
  },
  {
    what: 'another version beside the field of 1.22',
    from: { clusterProfileRef: profile },
    to: { clusterProfileRef: profile, version: '1.22' },
  },
  { what: 'another version of a local resource', from: { version: '1.21' }, to: { version: '1.22' } },
  { what: 'a spec added where there was none', from: undefined, to: { version: '1.22' } },
  { what: 'the spec of a local resource removed', from: { version: '1.22' }, to: undefined },
];

describe.each(componentKinds)('%s: change', (kind) => {
  describe.each(Object.keys(writes))('by %s', (way) => {
    test.each(changes)('judges $what', async ({ from, to, refused }) => {
      const name = `r-${randomUUID().slice(0, 8)}`;
      const created = await succeed(api.apply(api.path(kind, name), api.resource(kind, name, from)));
      const answer = await writes[way]?.(kind, created.body as ManifestObject, to);
      if (answer === undefined) throw new Error(`no way to write named ${way}`);
      for (const message of refused ?? [undefined]) expect(answer).toMatchObject(verdict(message, 200));
      const after = await succeed(api.send({ method: 'GET', path: api.path(kind, name) }));
      expect(after.body['spec']).toEqual(refused === undefined ? to : created.body['spec']);
    });

    test('accepts a destination whose default namespace is left out', async () => {
      const name = `r-${randomUUID().slice(0, 8)}`;
      const spec = { destination: { clusterProfileRef: profile } };
      const created = await succeed(api.apply(api.path(kind, name), api.resource(kind, name, spec)));
      const answer = await writes[way]?.(kind, created.body as ManifestObject, { ...spec, version: '1.22' });
      expect(answer).toMatchObject({ status: 200, message: '' });
    });
  });

  test('lets status, labels and finalizers of a resource with a destination change', async () => {
    const path = api.path(kind, 'managed');
    const created = await succeed(api.apply(path, api.resource(kind, 'managed', { destination })));
    const metadata = {
      ...recordAt(created.body, 'metadata'),
      labels: { a: 'b' },
      finalizers: ['example.com/hold'],
    };
    const labelled = await succeed(api.send({ method: 'PUT', path, body: { ...created.body, metadata } }));
    const status = { targetCluster: 'fleet/edge-1' };
    await succeed(api.send({ method: 'PUT', path: `${path}/status`, body: { ...labelled.body, status } }));
    const patch = { metadata: { finalizers: null } };
    await succeed(
      api.send({ method: 'PATCH', path, body: patch, contentType: 'application/merge-patch+json' }),
    );
    expect((await succeed(api.send({ method: 'GET', path }))).body['status']).toEqual(status);
  });
});

/** What an answer looks like: the success code, or a refusal with a message. */
function verdict(refused: string | undefined, success: number): object {
  return { status: refused === undefined ? success : 422, message: expect.stringContaining(refused ?? '') };
}

/** What a merge patch needs to turn one value into another: null for what goes. */
function mergePatch(before: unknown, after: unknown): unknown {
  if (after === undefined) return null;
  if (!isRecord(before) || !isRecord(after)) return after;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...keys].map((key) => [key, mergePatch(before[key], after[key])]));
}
