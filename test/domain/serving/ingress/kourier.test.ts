import { describe, expect, test } from 'vitest';

import { listAt, recordAt } from '../../../../domain/manifests/object.ts';
import type { ManifestObject } from '../../../../domain/manifests/object.ts';
import { podSpecPath } from '../../../../domain/manifests/pod-template.ts';
import { transformObject } from '../../../../domain/manifests/transform.ts';
import { kourier } from '../../../../domain/serving/ingress/kourier.ts';
import { deployment, servingContext, yamlObject } from '../../../support/rendering.ts';

const service = (spec = 'type: LoadBalancer') =>
  yamlObject(`
apiVersion: v1
kind: Service
metadata: {name: kourier, namespace: test-ns}
spec: {${spec}, ports: [{name: http2, port: 80}, {name: https, port: 443}]}`);

function run(object: ManifestObject, options: string, installNamespace = 'test-ns'): ManifestObject {
  const context = servingContext(`ingress: {kourier: {enabled: true${options}}}`, { installNamespace });
  return transformObject(object, kourier.transforms, context);
}

const spec = (options: string) => recordAt(run(service(), options), 'spec');

describe('kourier', () => {
  test.each(['3scale-kourier-control', 'net-kourier-controller'])(
    'tells %s that the gateway runs in its own namespace',
    (name) => {
      const object = deployment(
        name,
        'containers: [{name: c, env: [{name: KOURIER_GATEWAY_NAMESPACE, value: kourier-system}, {name: A, value: b}]}]',
      );
      expect(recordAt(listAt(run(object, ''), ...podSpecPath, 'containers')[0])['env']).toEqual([
        { name: 'KOURIER_GATEWAY_NAMESPACE', value: 'test-ns' },
        { name: 'A', value: 'b' },
      ]);
    },
  );

  test('does not add that variable where it is missing, nor change other Deployments', () => {
    const without = deployment('net-kourier-controller');
    const other = deployment(
      'other',
      'containers: [{name: c, env: [{name: KOURIER_GATEWAY_NAMESPACE, value: x}]}]',
    );
    expect(run(without, '')).toBe(without);
    expect(run(other, '')).toBe(other);
  });

  test('points the bootstrap at the controller in the install namespace', () => {
    const object = yamlObject(
      '{apiVersion: v1, kind: ConfigMap, metadata: {name: kourier-bootstrap, namespace: custom-serving}, data: {envoy-bootstrap.yaml: "a: net-kourier-controller.knative-serving b: knative-serving"}}',
    );
    expect(run(object, '')['data']).toEqual({
      'envoy-bootstrap.yaml': 'a: net-kourier-controller.custom-serving b: custom-serving',
    });
  });

  test('keeps the type of the Service when none is asked for', () => {
    expect(spec('')['type']).toBe('LoadBalancer');
  });

  test.each(['ClusterIP', 'LoadBalancer', 'NodePort'])('sets service type %s', (type) => {
    expect(spec(`, service-type: ${type}`)['type']).toBe(type);
  });

  test.each([
    [', service-type: ExternalName', 'unsupported service type "ExternalName"'],
    [', service-type: Foo', 'unknown service type "Foo"'],
    [
      ', service-type: ClusterIP, service-load-balancer-ip: 1.2.3.4',
      'cannot configure LoadBalancerIP for service type "ClusterIP"',
    ],
    [', http-port: 30080', 'cannot configure HTTP(S)Port for service type "LoadBalancer"'],
    [
      ', service-type: ClusterIP, https-port: 30443',
      'cannot configure HTTP(S)Port for service type "ClusterIP"',
    ],
  ])('refuses %s', (options, message) => {
    expect(() => spec(options)).toThrow(expect.objectContaining({ kind: 'SpecInvalid', message }));
  });

  test('asks for the load balancer address with the type of the manifest', () => {
    expect(spec(', service-load-balancer-ip: 1.2.3.4')['loadBalancerIP']).toBe('1.2.3.4');
  });

  test.each([
    [', http-port: 30080, https-port: 30443', 30_080, 30_443],
    [', https-port: 30443', undefined, 30_443],
    [', http-port: 30080', 30_080, undefined],
  ])('sets the node ports of %s', (options, http, https) => {
    const ports = listAt(spec(`, service-type: NodePort${options}`), 'ports').map(
      (port) => recordAt(port)['nodePort'],
    );
    expect(ports).toEqual([http, https]);
  });

  test('mounts another bootstrap ConfigMap and leaves other volumes, of any kind, alone', () => {
    const object = deployment(
      '3scale-kourier-gateway',
      'containers: []\nvolumes: [{name: config, configMap: {name: kourier-bootstrap, items: [{key: a}]}}, {name: tmp, emptyDir: {}}]',
    );
    expect(listAt(run(object, ', bootstrap-configmap: mine'), ...podSpecPath, 'volumes')).toEqual([
      { name: 'config', configMap: { name: 'mine' } },
      { name: 'tmp', emptyDir: {} },
    ]);
  });
});
