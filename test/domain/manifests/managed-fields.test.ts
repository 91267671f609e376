import { describe, expect, test } from 'vitest';

import { transferFields } from '../../../domain/manifests/managed-fields.ts';
import type { ManagedFieldsEntry } from '../../../domain/manifests/object.ts';

const ours: ManagedFieldsEntry = {
  apiVersion: 'v1',
  manager: 'us',
  operation: 'Apply',
  fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
};
const theirs = (fieldsV1: object, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  apiVersion: 'v1',
  manager: 'old',
  operation: 'Update',
  fieldsV1: { ...fieldsV1 },
  ...more,
});
const transfer = { to: 'us', from: new Set(['old']), released: [] };

describe('transferFields', () => {
  test('joins the fields of the former manager to those that were applied', () => {
    const other = theirs({ 'f:data': { 'f:c': {} } }, { manager: 'ann' });
    const entries = [theirs({ 'f:data': { 'f:a': {}, 'f:b': {} } }), ours, other];
    expect(transferFields(entries, transfer)).toEqual([
      { ...ours, fieldsV1: { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } } },
      other,
    ]);
  });

  test('has nothing to do where the former manager owns nothing', () => {
    expect(transferFields([ours], transfer)).toBeUndefined();
  });

  test('leaves the fields of a subresource and of another API version with their manager', () => {
    const status = theirs({ 'f:status': {} }, { subresource: 'status' });
    const beta = theirs({ 'f:spec': {} }, { apiVersion: 'v1beta1' });
    expect(transferFields([status, beta, ours], transfer)).toBeUndefined();
  });

  test('makes released fields nobody’s, in every element of a list', () => {
    const webhook = { 'f:rules': {}, 'f:clientConfig': { 'f:caBundle': {}, 'f:service': {} } };
    const entries = [theirs({ 'f:webhooks': { '.': {}, 'k:{"name":"a"}': webhook } }), ours];
    const released = ['webhooks[].rules', 'webhooks[].clientConfig.caBundle'];
    expect(transferFields(entries, { ...transfer, released })?.[0]?.fieldsV1).toMatchObject({
      'f:webhooks': { '.': {}, 'k:{"name":"a"}': { 'f:clientConfig': { 'f:service': {} } } },
    });
    expect(JSON.stringify(transferFields(entries, { ...transfer, released }))).not.toMatch(/rules|caBundle/);
  });
});
