import { describe, expect, test } from 'vitest';

import { withoutUnusedCertificates } from '../../../domain/eventing/transport-encryption.ts';
import { eventingContext, yamlObject } from '../../support/rendering.ts';

const objects = [
  'cert-manager.io/v1',
  'trust.cert-manager.io/v1alpha1',
  'networking.internal.knative.dev/v1alpha1',
].map((apiVersion) => yamlObject(`{apiVersion: ${apiVersion}, kind: Certificate, metadata: {name: a}}`));
const kept = (spec: string) => withoutUnusedCertificates(objects, eventingContext(spec).spec).length;

describe('withoutUnusedCertificates', () => {
  test.each([
    ['{}', 1],
    ['config: {features: {transport-encryption: disabled}}', 1],
    ['config: {features: {transport-encryption: permissive-not}}', 1],
    ['config: {features: {}, config-features: {transport-encryption: strict}}', 1],
    ['config: {features: {transport-encryption: Strict}}', 3],
    ['config: {features: {" transport-encryption ": permissive}}', 3],
    ['config: {config-features: {transport-encryption: PERMISSIVE}}', 3],
  ])('keeps for spec %s %i of three certificates', (spec, count) => {
    expect(kept(spec)).toBe(count);
  });
});
