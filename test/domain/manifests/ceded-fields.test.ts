import { describe, expect, test } from 'vitest';

import { cededFields, coveringPattern, withoutField } from '../../../domain/manifests/ceded-fields.ts';
import { deployment, yamlObject } from '../../support/rendering.ts';

const scaler = (workload: string, namespace = 'test-ns') =>
  yamlObject(
    `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: x, namespace: ${namespace}}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ${workload}}}}`,
  );
const webhook = yamlObject(
  '{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: w}, webhooks: [{name: a, rules: [], namespaceSelector: {}}, {name: b}]}',
);

describe('cededFields', () => {
  test('cedes the replicas of a Deployment that an autoscaler of the set targets', () => {
    expect(cededFields(deployment('activator'), [scaler('activator')])).toEqual(['spec.replicas']);
    expect(cededFields(deployment('activator'), [scaler('webhook'), scaler('activator', 'other')])).toEqual(
      [],
    );
  });

  test('cedes replicas and environment of the ping adapter', () => {
    expect(cededFields(deployment('pingsource-mt-adapter'), [])).toEqual([
      'spec.replicas',
      'spec.template.spec.containers[].env',
    ]);
  });

  test('cedes rules and selectors of webhooks and nothing of other kinds', () => {
    expect(cededFields(webhook, [])).toEqual(
      expect.arrayContaining(['webhooks[].rules', 'webhooks[].namespaceSelector']),
    );
    expect(cededFields(yamlObject('{apiVersion: v1, kind: Service, metadata: {name: a}}'), [])).toEqual([]);
  });
});

describe('coveringPattern', () => {
  test.each([
    ['.webhooks[name="a"].rules', 'webhooks[].rules'],
    ['.webhooks[name="a"].rules[0].verbs', 'webhooks[].rules'],
    ['.webhooks[name="a"].rulesets', undefined],
    ['.spec.replicas', undefined],
  ])('of field %s is %s', (field, pattern) => {
    expect(coveringPattern(field, cededFields(webhook, []))).toBe(pattern);
  });
});

describe('withoutField', () => {
  test('leaves the field out of every element and keeps the rest', () => {
    expect(withoutField(webhook, 'webhooks[].rules')['webhooks']).toEqual([
      { name: 'a', namespaceSelector: {} },
      { name: 'b' },
    ]);
  });

  test('leaves the field out of one element when the path of the API server names it', () => {
    const two = yamlObject(
      '{apiVersion: v1, kind: X, metadata: {name: w}, webhooks: [{name: a.b/c, rules: [1]}, {name: "d\\"]", rules: [2]}]}',
    );
    expect(withoutField(two, '.webhooks[name="a.b/c"].rules')['webhooks']).toEqual([
      { name: 'a.b/c' },
      { name: 'd"]', rules: [2] },
    ]);
    expect(withoutField(two, '.webhooks[name="d\\"]"].rules')['webhooks']).toEqual([
      { name: 'a.b/c', rules: [1] },
      { name: 'd"]' },
    ]);
  });

  test('leaves the value of one environment variable out of one container', () => {
    const workload = yamlObject(
      '{apiVersion: apps/v1, kind: Deployment, metadata: {name: w}, spec: {containers: [{name: a, env: [{name: X, value: "1"}, {name: Y, value: "2"}]}]}}',
    );
    expect(withoutField(workload, '.spec.containers[name="a"].env[name="X"].value')['spec']).toEqual({
      containers: [{ name: 'a', env: [{ name: 'X' }, { name: 'Y', value: '2' }] }],
    });
  });

  test('gives back the same object when the path leads nowhere', () => {
    expect(withoutField(webhook, '.webhooks[name="z"].rules')).toBe(webhook);
    expect(withoutField(webhook, 'spec.replicas')).toBe(webhook);
  });

  test('changes nothing when the field is not there', () => {
    expect(withoutField(webhook, 'spec.replicas')).toEqual(webhook);
  });
});
