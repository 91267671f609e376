import { describe, expect, test } from 'vitest';

import { securityGuard } from '../../../domain/serving/security-guard.ts';
import { servingContext, yamlObject } from '../../support/rendering.ts';

const map = (name: string) =>
  yamlObject(`{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {a: b}}`);

describe('securityGuard', () => {
  test('lets the queue proxy mount the pod information', () => {
    const context = servingContext('security: {securityGuard: {enabled: true}}');
    expect(securityGuard(map('config-features'), context)['data']).toEqual({
      a: 'b',
      'queueproxy.mount-podinfo': 'allowed',
    });
    const other = map('config-network');
    expect(securityGuard(other, context)).toBe(other);
  });

  test.each(['{}', 'security: {}', 'security: {securityGuard: {enabled: false}}'])(
    'does nothing for %s',
    (spec) => {
      const object = map('config-features');
      expect(securityGuard(object, servingContext(spec))).toBe(object);
    },
  );
});
