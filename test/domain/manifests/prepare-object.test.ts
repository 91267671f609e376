import { describe, expect, test } from 'vitest';

import { prepareObject } from '../../../domain/manifests/prepare-object.ts';
import { yamlObject } from '../../support/rendering.ts';

const prepare = (text: string) => prepareObject(yamlObject(text));

describe('prepareObject', () => {
  test('leaves out nulls, status and what only a server writes', () => {
    expect(
      prepare(
        '{apiVersion: v1, kind: Service, metadata: {name: a, uid: u, resourceVersion: "1", generation: 1, creationTimestamp: null, selfLink: s, managedFields: [], labels: null, annotations: {}}, spec: {a: null, list: [1, null, {b: null}]}, status: {x: 1}}',
      ),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', annotations: {} },
      spec: { list: [1, {}] },
    });
  });

  test('reads a ConfigMap key without value as an empty text', () => {
    expect(
      prepare('{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {empty: null, b: c}}')['data'],
    ).toEqual({
      empty: '',
      b: 'c',
    });
  });

  test('keeps null where a CRD schema means it', () => {
    const crd = prepare(
      '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}, spec: {x: null, versions: [{schema: {openAPIV3Schema: {nullable: true, default: null, enum: [a, null]}}}]}}',
    );
    expect(crd['spec']).toEqual({
      versions: [{ schema: { openAPIV3Schema: { nullable: true, default: null, enum: ['a', null] } } }],
    });
  });

  test('leaves out the rules of an aggregated role, even empty ones, and keeps those of others', () => {
    const role = (fields: string) =>
      prepare(
        `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: a}, ${fields}}`,
      );
    expect(role('aggregationRule: {clusterRoleSelectors: []}, rules: []')).not.toHaveProperty('rules');
    expect(role('rules: [{verbs: [get]}]')['rules']).toEqual([{ verbs: ['get'] }]);
  });

  test.each(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'])(
    'leaves out the CA bundles of a %s',
    (kind) => {
      const configuration = prepare(
        `{apiVersion: admissionregistration.k8s.io/v1, kind: ${kind}, metadata: {name: a}, webhooks: [{name: w, clientConfig: {caBundle: Cg==, url: u}}, {name: bare}]}`,
      );
      expect(configuration['webhooks']).toEqual([
        { name: 'w', clientConfig: { url: 'u' } },
        { name: 'bare' },
      ]);
    },
  );

  test('leaves out the CA bundles of a CRD conversion and of an APIService', () => {
    expect(
      prepare(
        '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}, spec: {conversion: {strategy: Webhook, webhook: {clientConfig: {caBundle: Cg==, url: u}}}}}',
      )['spec'],
    ).toEqual({ conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'u' } } } });
    expect(
      prepare(
        '{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: a}, spec: {caBundle: Cg==, version: v1}}',
      )['spec'],
    ).toEqual({ version: 'v1' });
  });

  test('folds stringData of a Secret into data as UTF-8 in base64, winning over data', () => {
    const secret = prepare(
      '{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {a: eA==, b: eQ==}, stringData: {a: "ä€😀"}}',
    );
    expect(secret).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { a: Buffer.from('ä€😀').toString('base64'), b: 'eQ==' },
    });
  });

  test.each([
    ['[]', 'no apiVersion, kind or metadata'],
    ['{apiVersion: v1, kind: Service}', 'no apiVersion, kind or metadata'],
    ['{apiVersion: v1, kind: Service, metadata: {}}', 'v1 Service'],
    ['{apiVersion: v1, kind: Service, metadata: {generateName: a-}}', 'no metadata.name'],
    [
      '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: text}',
      'ConfigMap a cannot be used: data is not a map',
    ],
    ['{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: 1}}', 'data.k is not a string'],
    ['{apiVersion: v1, kind: Service, metadata: {name: a, labels: [x]}}', 'metadata.labels is not a map'],
    [
      '{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {}}',
      'spec.template.spec is not a map',
    ],
    [
      '{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [1]}}}}',
      'spec.template.spec.containers',
    ],
    [
      '{apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {k: 1}}',
      'stringData.k is not a string',
    ],
  ])('refuses %s', (text, message) => {
    expect(() => prepare(text)).toThrow(
      expect.objectContaining({ kind: 'ManifestInvalid', message: expect.stringContaining(message) }),
    );
  });

  test('takes a Job with only a generateName', () => {
    const job = prepare(
      '{apiVersion: batch/v1, kind: Job, metadata: {generateName: a-}, spec: {template: {spec: {containers: []}}}}',
    );
    expect(job.metadata).toEqual({ generateName: 'a-' });
  });
});
