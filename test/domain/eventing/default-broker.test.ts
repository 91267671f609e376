import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { defaultBroker } from '../../../domain/eventing/default-broker.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { configMaps } from '../../../domain/transforms/config-maps.ts';
import { transformObject } from '../../../domain/manifests/transform.ts';
import { eventingContext, frozen } from '../../support/rendering.ts';

const key = 'default-br-config';
const bundled = `clusterDefault:
  brokerClass: MTChannelBasedBroker
  apiVersion: v1
  kind: ConfigMap
  name: config-br-default-channel
  namespace: knative-eventing
  delivery: {retry: 10, backoffDelay: PT0.2S}
`;

function configMap(text: string | undefined, name = 'config-br-defaults'): ManifestObject {
  return frozen({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    ...(text !== undefined && { data: { [key]: text } }),
  });
}

function document(spec: string, text = bundled): unknown {
  const changed = transformObject(configMap(text), [configMaps, defaultBroker], eventingContext(spec));
  return parse((changed['data'] as Record<string, string>)[key] ?? '');
}

describe('defaultBroker', () => {
  test.each([
    ['{}', 'MTChannelBasedBroker'],
    ['defaultBrokerClass: KafkaBroker', 'KafkaBroker'],
  ])('with spec %s sets class %s', (spec, brokerClass) => {
    expect(document(spec)).toMatchObject({ clusterDefault: { brokerClass, delivery: { retry: 10 } } });
  });

  test('writes the document with sorted keys, as the Go operator does', () => {
    const context = eventingContext('{}', { installNamespace: 'knative-eventing' });
    expect(defaultBroker(configMap(bundled), context)['data']).toEqual({
      [key]:
        'clusterDefault:\n  apiVersion: v1\n  brokerClass: MTChannelBasedBroker\n  delivery:\n    backoffDelay: PT0.2S\n    retry: 10\n  kind: ConfigMap\n  name: config-br-default-channel\n  namespace: knative-eventing\n',
    });
  });

  test('moves the bundled reference into the install namespace', () => {
    expect(document('{}')).toMatchObject({ clusterDefault: { namespace: 'test-ns' } });
  });

  test('keeps the namespace of a document in spec.config', () => {
    const text = JSON.stringify('clusterDefault: {namespace: knative-eventing}');
    expect(document(`config: {br-defaults: {${key}: ${text}}}`)).toEqual({
      clusterDefault: { namespace: 'knative-eventing', brokerClass: 'MTChannelBasedBroker' },
    });
  });

  test.each(['br-defaults', 'config-br-defaults'])(
    'leaves a document in spec.config.%s that names a class',
    (name) => {
      const text = 'clusterDefault: {brokerClass: Mine}\n';
      const spec = `{defaultBrokerClass: KafkaBroker, config: {${name}: {${key}: ${JSON.stringify(text)}}}}`;
      const changed = transformObject(configMap(bundled), [configMaps, defaultBroker], eventingContext(spec));
      expect(changed['data']).toEqual({ [key]: text });
    },
  );

  test('does not take a class in a comment for one', () => {
    const text = JSON.stringify('# brokerClass: no\nclusterDefault: {}\n');
    expect(document(`{defaultBrokerClass: KafkaBroker, config: {br-defaults: {${key}: ${text}}}}`)).toEqual({
      clusterDefault: { brokerClass: 'KafkaBroker' },
    });
  });

  test('adds a cluster default to a document without one', () => {
    expect(document('{}', 'namespaceDefaults: {a: {kind: ConfigMap}}')).toEqual({
      clusterDefault: { brokerClass: 'MTChannelBasedBroker' },
      namespaceDefaults: { a: { kind: 'ConfigMap' } },
    });
  });

  test.each([
    [undefined, 'ConfigMap is missing (or empty) key: "default-br-config"'],
    ['', 'ConfigMap is missing (or empty) key: "default-br-config"'],
    ['a: [', 'is not YAML'],
    ['text', 'is not a YAML map'],
  ])('refuses document %s', (text, message) => {
    expect(() => defaultBroker(configMap(text), eventingContext())).toThrow(
      expect.objectContaining({ kind: 'SpecInvalid', message: expect.stringContaining(message) }),
    );
  });

  test('leaves other ConfigMaps alone', () => {
    const other = configMap(bundled, 'config-features');
    expect(defaultBroker(other, eventingContext())).toBe(other);
  });
});
