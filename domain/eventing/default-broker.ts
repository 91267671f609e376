import { parse, stringify } from 'yaml';

import { OperatorError } from '../errors.ts';
import { setAt } from '../manifests/edit.ts';
import type { JsonRecord } from '../manifests/object.ts';
import { isRecord, recordAt, stringAt } from '../manifests/object.ts';
import type { EventingContext, Transform } from '../manifests/transform.ts';

const configMap = 'config-br-defaults';
const key = 'default-br-config';
const bundledNamespace = 'knative-eventing';

/**
 * Sets the broker class of the cluster in ConfigMap `config-br-defaults` to `spec.defaultBrokerClass` or
 * `MTChannelBasedBroker`. A document in `spec.config` that names a broker class itself is left as written. The
 * ConfigMap that the bundled document refers to follows into the install namespace; the Go operator leaves it behind.
 * Throws SpecInvalid when there is no document, or none that can be read.
 */
export const defaultBroker: Transform<EventingContext> = (object, { spec, installNamespace }) => {
  if (object.kind !== 'ConfigMap' || object.metadata.name !== configMap) return object;
  const written = ['br-defaults', configMap].map((name) => spec.config?.[name]?.[key]);
  if (written.some((text) => text !== undefined && namesBrokerClass(text))) return object;
  const document = parseDocument(stringAt(object, 'data', key) ?? '');
  const brokerClass = spec.defaultBrokerClass ?? '';
  const moved = written.every((text) => text === undefined)
    ? movedTo(recordAt(document, 'clusterDefault'), installNamespace)
    : recordAt(document, 'clusterDefault');
  const clusterDefault = {
    ...moved,
    brokerClass: brokerClass === '' ? 'MTChannelBasedBroker' : brokerClass,
  };
  return setAt(
    object,
    ['data', key],
    stringify({ ...document, clusterDefault }, { sortMapEntries: true, lineWidth: 0 }),
  );
};

function movedTo(clusterDefault: JsonRecord, namespace: string): JsonRecord {
  return clusterDefault['namespace'] === bundledNamespace ? { ...clusterDefault, namespace } : clusterDefault;
}

/** Text in a comment does not count; anything that is no YAML is reported when it is read. */
function namesBrokerClass(text: string): boolean {
  return /^[^#]*brokerClass:/m.test(text);
}

function parseDocument(text: string): JsonRecord {
  if (text === '') {
    throw new OperatorError('SpecInvalid', `ConfigMap is missing (or empty) key: "${key}" of ${configMap}`);
  }
  const document = parseYaml(text);
  if (isRecord(document)) return document;
  throw new OperatorError(
    'SpecInvalid',
    `${key} of ConfigMap ${configMap} is not a YAML map; correct spec.config`,
  );
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch (cause) {
    throw new OperatorError(
      'SpecInvalid',
      `${key} of ConfigMap ${configMap} is not YAML; correct spec.config`,
      { cause },
    );
  }
}
