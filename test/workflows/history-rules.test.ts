import { describe, expect, test } from 'vitest';

import { scanHistory } from '../support/history-scan.ts';

const payload = (value: unknown) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

const scheduled = (...values: unknown[]) => ({
  activityTaskScheduledEventAttributes: { input: { payloads: values.map(payload) } },
});

const completed = (value: unknown) => ({
  activityTaskCompletedEventAttributes: { result: { payloads: [payload(value)] } },
});

const scan = (event: unknown, secrets?: string[]) => scanHistory({ events: [event] }, secrets);
const jwt = ['eyJhbGciOiJSUzI1NiJ9', 'eyJzdWIiOiJzcG9rZSJ9', 'c2lnbmF0dXJlLW9mLWl0'].join('.');

const violations: readonly (readonly [string, unknown, string])[] = [
  ['a token', scheduled({ header: jwt }), 'a JSON web token'],
  ['a bearer header', scheduled(`Authorization: Bearer ${'a'.repeat(20)}`), 'a bearer token'],
  ['a token by the name of its field', completed({ token: 'abc' }), 'a password or token'],
  ['a key', completed({ key: '-----BEGIN PRIVATE KEY-----\nabc' }), 'a PEM block'],
  [
    'a base64 key',
    completed({ key: Buffer.from('-----BEGIN PRIVATE KEY-----').toString('base64') }),
    'a base64 PEM block',
  ],
  [
    'a kubeconfig',
    completed('apiVersion: v1\nclusters: []\ncurrent-context: x\nkind: Config\n'),
    'a kubeconfig',
  ],
  ['a manifest', scheduled({ apply: [{ apiVersion: 'v1', kind: 'ConfigMap', data: {} }] }), 'a manifest'],
  ['a manifest as text', scheduled({ apply: 'apiVersion: v1\nkind: Pod\nspec: {}\n' }), 'a manifest'],
  [
    'a manifest as JSON in a string',
    scheduled({ text: '{"apiVersion":"v1","kind":"Pod","spec":{}}' }),
    'a manifest',
  ],
  [
    'a secret in a failure',
    { activityTaskFailedEventAttributes: { failure: { message: `refused ${jwt}` } } },
    'a JSON web token',
  ],
];

describe('scanHistory', () => {
  test.each(violations)('finds %s', (_name, event, expected) => {
    expect(scan(event).join('\n')).toContain(expected);
  });

  test('finds a known secret wherever it is', () => {
    const event = { userMetadata: { summary: payload('connect with hunter22') } };
    expect(scan(event, ['hunter22'])).toEqual(['event 1: a known secret at userMetadata.summary.data']);
  });

  test('finds arguments over 1 kB and results over 2 kB, counted together and in bytes', () => {
    const half = 'ä'.repeat(300);
    expect(scan(scheduled(half))).toEqual([]);
    expect(scan(scheduled(half, half))).toEqual([
      'event 1: arguments of 1204 bytes at activityTaskScheduledEventAttributes.input',
    ]);
    expect(scan(completed('x'.repeat(2_040)))).toEqual([]);
    expect(scan(completed('x'.repeat(2_100)))).toEqual([
      'event 1: a result of 2102 bytes at activityTaskCompletedEventAttributes.result',
    ]);
  });

  test('reads the JSON form, in which payloads are base64', () => {
    const data = Buffer.from(JSON.stringify({ header: jwt })).toString('base64');
    const payloads = [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data }];
    const event = { activityTaskScheduledEventAttributes: { input: { payloads } } };
    expect(scan(event)).toEqual([
      'event 1: a JSON web token at activityTaskScheduledEventAttributes.input.payloads.0.data',
    ]);
  });

  test('accepts digests, counts and references to objects', () => {
    const input = {
      ref: { kind: 'KnativeServing', namespace: 'team', name: 'serving' },
      plan: { version: '1.23.0', digest: 'sha256:0123', objects: 92, warnings: [] },
      blockers: ['Deployment knative-serving/activator: is held by finalizer x'],
      object: { apiVersion: 'v1', kind: 'ConfigMap', name: 'config' },
    };
    expect(scan(scheduled(input))).toEqual([]);
  });
});
