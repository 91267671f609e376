import { describe, expect, test } from 'vitest';

import { fieldPaths, lostFields, ownFields } from '../../../domain/manifests/field-set.ts';

const webhook = {
  'f:metadata': { 'f:labels': { '.': {}, 'f:app.kubernetes.io/name': {} } },
  'f:webhooks': {
    'k:{"name":"a.example"}': { '.': {}, 'f:name': {}, 'f:rules': {}, 'f:failurePolicy': {} },
  },
};

describe('fieldPaths', () => {
  test('writes paths as the API server writes them in its conflicts', () => {
    const set = {
      'f:data': { 'f:a.b/c': {} },
      'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } },
      'f:metadata': { 'f:finalizers': { 'v:"x"': {} } },
      'f:list': { 'i:2': {} },
    };
    expect(fieldPaths(set)).toEqual([
      '.data.a.b/c',
      '.spec.ports[port=80,protocol="TCP"]',
      '.spec.ports[port=80,protocol="TCP"].port',
      '.metadata.finalizers[="x"]',
      '.list[2]',
    ]);
  });
});

describe('ownFields', () => {
  const metadata = {
    managedFields: [
      { manager: 'knative-fleet', operation: 'Update', fieldsV1: { 'f:data': { 'f:wrong': {} } } },
      { manager: 'other', operation: 'Apply', fieldsV1: { 'f:data': { 'f:theirs': {} } } },
      { manager: 'knative-fleet', operation: 'Apply', fieldsV1: webhook },
    ],
  } as const;

  test('takes the fields of our apply and of nothing else', () => {
    expect(ownFields(metadata)).toEqual(webhook);
    expect(ownFields({})).toEqual({});
  });

  test('leaves ceded fields out of every element', () => {
    const set = ownFields(metadata, ['webhooks[].rules', 'metadata.labels']);
    expect(fieldPaths(set)).toEqual([
      '.webhooks[name="a.example"]',
      '.webhooks[name="a.example"].name',
      '.webhooks[name="a.example"].failurePolicy',
    ]);
  });
});

describe('lostFields', () => {
  test('names what is gone, an element that is gone as a whole once', () => {
    const present = { 'f:metadata': { 'f:labels': { '.': {} } }, 'f:webhooks': {} };
    expect(lostFields(webhook, present)).toEqual([
      '.metadata.labels.app.kubernetes.io/name',
      '.webhooks[name="a.example"]',
    ]);
  });

  test('is empty for an equal set and for one that has more', () => {
    expect(lostFields(webhook, webhook)).toEqual([]);
    expect(lostFields(webhook, { ...webhook, 'f:data': { 'f:more': {} } })).toEqual([]);
  });
});
