import { describe, expect, test } from 'vitest';

import type { ManifestObject } from '../../domain/manifests/object.ts';
import { listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';
import { podSpecPath } from '../../domain/manifests/pod-template.ts';
import { renderShared } from '../support/render-shared.ts';
import { servingContext } from '../support/rendering.ts';
import { hasSharedMaterial } from '../support/shared-material.ts';

const spec = `
high-availability: {replicas: 2}
controller-custom-certs: {type: Secret, name: s}
namespace: {labels: {a: b}}
workloads: [{name: controller, env: [{container: controller, envVars: [{name: Z, value: "1"}]}]}]
ingress:
  istio:
    enabled: true
    knative-ingress-gateway:
      selector: {x: y}
      servers:
      - port: {number: 443, protocol: HTTPS, name: https, target_port: 8443}
        tls: {mode: SIMPLE, credentialName: c, minProtocolVersion: 2}
      - {hosts: ["*"], tls: {}}`;

const owner = { apiVersion: 'operator.knative.dev/v1beta1', kind: 'KnativeServing', name: 'ks', uid: 'u' };

function renderExample(): readonly ManifestObject[] {
  const component = { kind: 'KnativeServing', spec: servingContext(spec).spec } as const;
  return renderShared(component, { installNamespace: 'my-ns', owner }).release.objects;
}

describe.skipIf(!hasSharedMaterial)('renderRelease, for Serving 1.23.0 with many options at once', () => {
  const objects = hasSharedMaterial ? renderExample() : [];
  const find = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);
  const replicas = (name: string) => recordAt(find('Deployment', name), 'spec')['replicas'];

  test('labels the Namespace and gives it no owner', () => {
    expect(find('Namespace', 'my-ns')?.metadata).toEqual({
      name: 'my-ns',
      labels: { a: 'b', 'app.kubernetes.io/name': 'knative-serving', 'app.kubernetes.io/version': '1.23.0' },
    });
  });

  test('gives the controller its owner, replicas, environment in order and certificates', () => {
    const controller = find('Deployment', 'controller');
    const [container] = listAt(controller, ...podSpecPath, 'containers');
    expect(controller?.metadata).toMatchObject({
      namespace: 'my-ns',
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    });
    expect(listAt(container, 'env').map((variable) => stringAt(variable, 'name'))).toEqual([
      'POD_NAME',
      'SYSTEM_NAMESPACE',
      'CONFIG_LOGGING_NAME',
      'CONFIG_OBSERVABILITY_NAME',
      'Z',
      'SSL_CERT_DIR',
    ]);
    expect(listAt(container, 'volumeMounts')).toContainEqual({
      name: 'custom-certs-s',
      mountPath: '/custom-certs',
    });
    expect(listAt(controller, ...podSpecPath, 'volumes')).toContainEqual({
      name: 'custom-certs-s',
      secret: { secretName: 's' },
    });
  });

  test.each(['controller', 'autoscaler', 'autoscaler-hpa', 'net-istio-controller', 'net-istio-webhook'])(
    'runs Deployment %s twice',
    (name) => {
      expect(replicas(name)).toBe(2);
    },
  );

  test.each(['activator', 'webhook'])('leaves the replicas of Deployment %s to its autoscaler', (name) => {
    expect(replicas(name)).toBeUndefined();
  });

  test('raises the autoscaler of the activator to 2 to 21', () => {
    expect(find('HorizontalPodAutoscaler', 'activator')?.['spec']).toMatchObject({
      minReplicas: 2,
      maxReplicas: 21,
    });
  });

  test('overrides the ingress gateway', () => {
    expect(find('Gateway', 'knative-ingress-gateway')?.['spec']).toEqual({
      selector: { x: 'y' },
      servers: [
        {
          port: { number: 443, protocol: 'HTTPS', name: 'https', targetPort: 8443 },
          tls: { credentialName: 'c', minProtocolVersion: 'TLSV1_1', mode: 'SIMPLE' },
        },
        { hosts: ['*'], tls: {} },
      ],
    });
  });

  test('puts the local gateway Service beside Istio, without owner', () => {
    const service = find('Service', 'knative-local-gateway');
    expect(service?.metadata.namespace).toBe('istio-system');
    expect(service?.metadata).not.toHaveProperty('ownerReferences');
  });

  test('names the Jobs by component and version', () => {
    const names = objects.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name);
    expect(names).toEqual([
      'storage-version-migration-serving-serving-1.23.0',
      'cleanup-serving-serving-1.23.0',
    ]);
  });
});
