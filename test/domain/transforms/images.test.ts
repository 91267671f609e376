import { describe, expect, test } from 'vitest';

import { listAt, recordAt } from '../../../domain/manifests/object.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { podSpecPath } from '../../../domain/manifests/pod-template.ts';
import { transformObject } from '../../../domain/manifests/transform.ts';
import { configMaps } from '../../../domain/transforms/config-maps.ts';
import { imageBaseName, images } from '../../../domain/transforms/images.ts';
import { eventingContext, servingContext, yamlObject } from '../../support/rendering.ts';

function workload(kind: string, metadata = '{name: controller}'): ManifestObject {
  return yamlObject(`
apiVersion: apps/v1
kind: ${kind}
metadata: ${metadata}
spec:
  template:
    spec:
      imagePullSecrets: [{name: old}]
      initContainers: [{name: init, image: gcr.test/cmd/init@sha256:1}]
      containers:
      - name: controller
        image: gcr.test/cmd/controller@sha256:1
        env: [{name: A_IMAGE, value: gcr.test/a}, {name: B, valueFrom: {fieldRef: {fieldPath: x}}}]
      - {name: sidecar, image: badLink}`);
}

const cached = yamlObject(
  '{apiVersion: caching.internal.knative.dev/v1alpha1, kind: Image, metadata: {name: queue-proxy}, spec: {image: gcr.test/cmd/queue@sha256:1}}',
);
const queueConfig = yamlObject(
  '{apiVersion: v1, kind: ConfigMap, metadata: {name: config-deployment}, data: {queue-sidecar-image: gcr.test/cmd/queue@sha256:1}}',
);

function imagesOf(object: ManifestObject, registry: string): readonly unknown[] {
  const changed = images(object, servingContext(`registry: ${registry}`));
  return listAt(changed, ...podSpecPath, 'containers').map((container) => recordAt(container)['image']);
}

describe('imageBaseName', () => {
  test.each([
    ['gcr.test/cmd/queue@sha256:abc', 'queue'],
    ['gcr.test/cmd/queue:v1', 'queue'],
    ['gcr.test:5000/b', 'b'],
    ['badLink', ''],
  ])('of %s is "%s"', (image, name) => {
    expect(imageBaseName(image)).toBe(name);
  });
});

describe('images', () => {
  test.each(['Deployment', 'DaemonSet', 'StatefulSet', 'Job'])(
    'fills the template with the image name, or the container name where there is none, in a %s',
    (kind) => {
      expect(imagesOf(workload(kind), '{default: "r.test/m/${NAME}:v9"}')).toEqual([
        'r.test/m/controller:v9',
        'r.test/m/sidecar:v9',
      ]);
    },
  );

  test('fills every ${NAME} of the template and does not read patterns in the name', () => {
    expect(imagesOf(workload('Deployment'), '{default: "r.test/${NAME}/${NAME}"}')[0]).toBe(
      'r.test/controller/controller',
    );
  });

  test('prefers workload/container, then container, then the template', () => {
    const registry =
      '{default: "r.test/${NAME}", override: {controller/controller: exact.test/c, controller: by-name.test/c, sidecar: by-name.test/s}}';
    expect(imagesOf(workload('Deployment'), registry)).toEqual(['exact.test/c', 'by-name.test/s']);
  });

  test('knows a Job by its generateName', () => {
    const job = workload('Job', '{generateName: migrate-}');
    expect(imagesOf(job, '{override: {migrate-/controller: r.test/m}}')).toEqual(['r.test/m', 'badLink']);
  });

  test('leaves images of keys that match nothing', () => {
    expect(imagesOf(workload('Deployment'), '{override: {other: r.test/x}}')).toEqual([
      'gcr.test/cmd/controller@sha256:1',
      'badLink',
    ]);
  });

  test.each([
    ['{default: "r.test/${NAME}"}', 'r.test/init'],
    ['{override: {controller/init: r.test/i}}', 'r.test/i'],
    ['{override: {controller: r.test/c}}', 'gcr.test/cmd/init@sha256:1'],
  ])('reaches init containers with %s', (registry, image) => {
    const changed = images(workload('Deployment'), servingContext(`registry: ${registry}`));
    expect(listAt(changed, ...podSpecPath, 'initContainers')).toEqual([{ name: 'init', image }]);
  });

  test.each(['eventing-integrations-images', 'eventing-transformations-images'])(
    'reaches every image that Eventing reads from %s, by its key or by the template',
    (name) => {
      const catalogue = yamlObject(
        `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {log-sink: "gcr.test/x/log-sink@sha256:1", timer-source: "gcr.test/x/timer@sha256:2"}}`,
      );
      const spec = '{registry: {default: "r.test/${NAME}:1", override: {log-sink: exact.test/l}}}';
      expect(images(catalogue, eventingContext(spec))['data']).toEqual({
        'log-sink': 'exact.test/l',
        'timer-source': 'r.test/timer:1',
      });
    },
  );

  test('leaves every other ConfigMap alone, whatever its values look like', () => {
    const other = yamlObject(
      '{apiVersion: v1, kind: ConfigMap, metadata: {name: config-features}, data: {queue-sidecar-image: gcr.test/q}}',
    );
    expect(images(other, servingContext('registry: {default: "r.test/${NAME}"}'))).toBe(other);
  });

  test('sets environment variables by exact name, dropping valueFrom, and the template never does', () => {
    const spec = 'registry: {default: "r.test/${NAME}", override: {B: r.test/b}}';
    const [first] = listAt(
      images(workload('Deployment'), servingContext(spec)),
      ...podSpecPath,
      'containers',
    );
    expect(listAt(first, 'env')).toEqual([
      { name: 'A_IMAGE', value: 'gcr.test/a' },
      { name: 'B', value: 'r.test/b' },
    ]);
  });

  test('appends pull secrets after those that are there, once each', () => {
    const spec = 'registry: {imagePullSecrets: [{name: a}, {name: old}, {name: b}]}';
    const changed = images(workload('StatefulSet'), servingContext(spec));
    expect(listAt(changed, ...podSpecPath, 'imagePullSecrets')).toEqual([
      { name: 'old' },
      { name: 'a' },
      { name: 'b' },
    ]);
  });

  test('changes nothing without a registry', () => {
    const object = workload('Deployment');
    expect(images(object, servingContext())).toBe(object);
  });

  test.each([
    ['{override: {queue-proxy: r.test/q}}', 'r.test/q'],
    ['{default: "r.test/${NAME}"}', 'r.test/queue'],
  ])('sets the caching Image from %s and adds the pull secrets', (registry, image) => {
    const spec = `registry: ${registry.slice(0, -1)}, imagePullSecrets: [{name: a}]}`;
    expect(images(cached, servingContext(spec))['spec']).toEqual({
      image,
      imagePullSecrets: [{ name: 'a' }],
    });
  });

  test('uses the name of a caching Image whose image has none', () => {
    const image = yamlObject(
      '{apiVersion: caching.internal.knative.dev/v1alpha1, kind: Image, metadata: {name: queue-proxy}, spec: {image: badLink}}',
    );
    const changed = images(image, servingContext('registry: {default: "r.test/${NAME}"}'));
    expect(changed['spec']).toEqual({ image: 'r.test/queue-proxy' });
  });

  test('leaves an Image of another API alone', () => {
    const image = yamlObject(
      '{apiVersion: caching.internal.knative.dev/v1, kind: Image, metadata: {name: queue-proxy}, spec: {image: a.test/b}}',
    );
    expect(images(image, servingContext('registry: {default: "r.test/${NAME}"}'))).toBe(image);
  });

  test.each([
    ['{override: {queue-proxy: r.test/q}}', 'r.test/q'],
    ['{default: "r.test/${NAME}:1"}', 'r.test/queue:1'],
  ])('sets the image of the queue proxy that Serving reads from %s', (registry, image) => {
    expect(images(queueConfig, servingContext(`registry: ${registry}`))['data']).toEqual({
      'queue-sidecar-image': image,
    });
  });

  test('yields to an image of the queue proxy in spec.config', () => {
    const spec =
      '{registry: {override: {queue-proxy: r.test/q}}, config: {deployment: {queue-sidecar-image: c.test/q}}}';
    expect(transformObject(queueConfig, [images, configMaps], servingContext(spec))['data']).toEqual({
      'queue-sidecar-image': 'c.test/q',
    });
  });
});
