import { describe, expect, test } from 'vitest';

import type { ManifestObject } from '../../../../domain/manifests/object.ts';
import { transformObject } from '../../../../domain/manifests/transform.ts';
import { istio } from '../../../../domain/serving/ingress/istio.ts';
import { servingContext, yamlObject } from '../../../support/rendering.ts';

const gateway = (name: string, apiVersion = 'networking.istio.io/v1beta1') =>
  yamlObject(
    `{apiVersion: ${apiVersion}, kind: Gateway, metadata: {name: ${name}}, spec: {selector: {istio: ingressgateway}, servers: [{hosts: ["*"]}]}}`,
  );

function run(object: ManifestObject, options: string): ManifestObject {
  return transformObject(
    object,
    istio.transforms,
    servingContext(`ingress: {istio: {enabled: true, ${options}}}`),
  );
}

function server(entry: string): unknown {
  const changed = run(gateway('knative-ingress-gateway'), `knative-ingress-gateway: {servers: [${entry}]}`);
  return (changed['spec'] as { servers: unknown[] }).servers[0];
}

describe('istio', () => {
  test.each([
    ['knative-ingress-gateway', 'knative-ingress-gateway', 'networking.istio.io/v1beta1'],
    ['knative-local-gateway', 'knative-local-gateway', 'networking.istio.io/v1alpha3'],
    ['cluster-local-gateway', 'knative-local-gateway', 'networking.istio.io/v1'],
  ])('replaces selector and servers of Gateway %s by %s', (name, field, apiVersion) => {
    const changed = run(gateway(name, apiVersion), `${field}: {selector: {x: y}, servers: [{hosts: [a]}]}`);
    expect(changed).toEqual({
      ...gateway(name, apiVersion),
      spec: { selector: { x: 'y' }, servers: [{ hosts: ['a'] }] },
    });
  });

  test.each([
    ['another name', gateway('other')],
    ['another group', gateway('knative-ingress-gateway', 'gateway.networking.k8s.io/v1')],
  ])('leaves a Gateway of %s alone', (_title, object) => {
    expect(run(object, 'knative-ingress-gateway: {selector: {x: y}}')).toBe(object);
  });

  test('keeps selector and servers for which the override is empty', () => {
    const object = gateway('knative-ingress-gateway');
    expect(run(object, 'knative-ingress-gateway: {selector: {}, servers: []}')).toBe(object);
  });

  test('writes a server in Istio’s own form', () => {
    expect(
      server(
        '{port: {number: 443, protocol: HTTPS, name: https, target_port: 8443}, hosts: ["*"], bind: "", tls: {mode: SIMPLE, credentialName: c, minProtocolVersion: 2, maxProtocolVersion: 3, cipherSuites: [a], httpsRedirect: false}}',
      ),
    ).toEqual({
      port: { number: 443, protocol: 'HTTPS', name: 'https', targetPort: 8443 },
      hosts: ['*'],
      tls: {
        mode: 'SIMPLE',
        credentialName: 'c',
        minProtocolVersion: 'TLSV1_1',
        maxProtocolVersion: 'TLSV1_2',
        cipherSuites: ['a'],
      },
    });
  });

  test.each([
    ['{hosts: [a]}', { hosts: ['a'] }],
    ['{hosts: [a], tls: {}}', { hosts: ['a'], tls: {} }],
    ['{hosts: [a], tls: {mode: PASSTHROUGH}}', { hosts: ['a'], tls: {} }],
    ['{hosts: [a], tls: {httpsRedirect: true}}', { hosts: ['a'], tls: { httpsRedirect: true } }],
    ['{hosts: [a], tls: {minProtocolVersion: 0}}', { hosts: ['a'], tls: {} }],
  ])('makes of server %s %o', (entry, expected) => {
    expect(server(entry)).toEqual(expected);
  });

  test.each(['SIMPLE', 'MUTUAL', 'AUTO_PASSTHROUGH', 'ISTIO_MUTUAL'])('knows TLS mode %s', (mode) => {
    expect(server(`{tls: {mode: ${mode}}}`)).toEqual({ tls: { mode } });
  });

  test('refuses an unknown TLS mode, should the API server have let it through', () => {
    const context = servingContext(
      'ingress: {istio: {knative-ingress-gateway: {servers: [{tls: {mode: SIMPLE}}]}}}',
    );
    const spec = JSON.parse(JSON.stringify(context.spec).replace('SIMPLE', 'BAD')) as typeof context.spec;
    expect(() =>
      transformObject(gateway('knative-ingress-gateway'), istio.transforms, { ...context, spec }),
    ).toThrow(
      expect.objectContaining({
        kind: 'SpecInvalid',
        message:
          'failed to convert servers override for gateway "knative-ingress-gateway": unknown TLS mode "BAD": must be one of PASSTHROUGH, SIMPLE, MUTUAL, AUTO_PASSTHROUGH, ISTIO_MUTUAL',
      }),
    );
  });
});
