import { parse } from 'yaml';

import { KnativeEventingSpec } from '../../domain/api/knative-eventing.ts';
import { KnativeServingSpec } from '../../domain/api/knative-serving.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { EventingContext, ServingContext } from '../../domain/manifests/transform.ts';

const common = {
  version: '1.22.1',
  owner: { apiVersion: 'v1', kind: 'ConfigMap', name: 'anchor', uid: 'anchor-uid' },
  clusterScopedKinds: new Set<string>(),
};

/** A frozen object from YAML text: a transform that changes its input throws. */
export function yamlObject(text: string): ManifestObject {
  return frozen(parse(text) as ManifestObject);
}

/** A frozen context for Serving in namespace `test-ns`; the spec is YAML text. */
export function servingContext(spec = '{}', changes: Partial<ServingContext> = {}): ServingContext {
  const parsed = frozen(KnativeServingSpec.parse(parse(spec)));
  return { ...common, kind: 'KnativeServing', installNamespace: 'test-ns', spec: parsed, ...changes };
}

/** A frozen context for Eventing in namespace `test-ns`; the spec is YAML text. */
export function eventingContext(spec = '{}', changes: Partial<EventingContext> = {}): EventingContext {
  const parsed = frozen(KnativeEventingSpec.parse(parse(spec)));
  return { ...common, kind: 'KnativeEventing', installNamespace: 'test-ns', spec: parsed, ...changes };
}

/** A Deployment with one container of its name, changed by the given YAML of its pod spec. */
export function deployment(
  name: string,
  podSpec = `containers: [{name: ${name}, image: x.test/a/b:1}]`,
): ManifestObject {
  return yamlObject(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: test-ns}
spec:
  template:
    spec:
      ${podSpec.trim().replaceAll('\n', '\n      ')}
`);
}

export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
