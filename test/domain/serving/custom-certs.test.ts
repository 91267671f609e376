import { describe, expect, test } from 'vitest';

import { recordAt } from '../../../domain/manifests/object.ts';
import { podSpecPath } from '../../../domain/manifests/pod-template.ts';
import { customCerts } from '../../../domain/serving/custom-certs.ts';
import { deployment, servingContext } from '../../support/rendering.ts';

const controller = deployment(
  'controller',
  'containers: [{name: controller, env: [{name: SSL_CERT_DIR, value: old}], volumeMounts: [{name: a, mountPath: /a}]}, {name: second}]\nvolumes: [{name: a}]',
);
const certs = (value: string) => servingContext(`controller-custom-certs: ${value}`);

describe('customCerts', () => {
  test.each([
    ['ConfigMap', { name: 'custom-certs-ca', configMap: { name: 'ca' } }],
    ['Secret', { name: 'custom-certs-ca', secret: { secretName: 'ca' } }],
  ])(
    'mounts a %s into the first container of the controller and points SSL_CERT_DIR at it',
    (type, volume) => {
      expect(recordAt(customCerts(controller, certs(`{type: ${type}, name: ca}`)), ...podSpecPath)).toEqual({
        containers: [
          {
            name: 'controller',
            env: [{ name: 'SSL_CERT_DIR', value: '/custom-certs' }],
            volumeMounts: [
              { name: 'a', mountPath: '/a' },
              { name: 'custom-certs-ca', mountPath: '/custom-certs' },
            ],
          },
          { name: 'second' },
        ],
        volumes: [{ name: 'a' }, volume],
      });
    },
  );

  test('leaves other Deployments alone', () => {
    const other = deployment('net-istio-controller');
    expect(customCerts(other, certs('{type: Secret, name: ca}'))).toBe(other);
  });

  test.each(['{}', 'controller-custom-certs: {type: "", name: ""}'])('does nothing for spec %s', (spec) => {
    expect(customCerts(controller, servingContext(spec))).toBe(controller);
  });

  test.each([
    ['{type: Volume, name: ca}', 'unknown CustomCerts type: Volume'],
    ['{type: Secret, name: ""}', 'the CustomCerts name for Secret is required'],
  ])('refuses %s', (value, message) => {
    expect(() => customCerts(controller, certs(value))).toThrow(
      expect.objectContaining({ kind: 'SpecInvalid', message }),
    );
  });
});
