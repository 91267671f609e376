import fc from 'fast-check';

import { KnativeEventingSpec } from '../../domain/api/knative-eventing.ts';
import { KnativeServingSpec } from '../../domain/api/knative-serving.ts';
import type { StructuralSchema } from '../../scripts/crds/structural-schema.ts';
import { structuralSchema } from '../../scripts/crds/structural-schema.ts';

/** Texts that have broken software before, and some that name something in the small release. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'a', 'controller', 'migrate', '__proto__', '${NAME}', '$&', 'a: [b'),
  fc.string({ maxLength: 6 }),
);

export const name: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'controller',
      'webhook',
      'activator',
      'config-deployment',
      'deployment',
      'queue-proxy',
      'migrate-',
    ),
  },
  { weight: 1, arbitrary: text },
);

const count = fc.integer({ min: -1, max: 9 });

/** Which cluster, when and whether: nothing that rendering reads. */
const notRendered: ReadonlySet<string> = new Set([
  'version',
  'manifests',
  'additionalManifests',
  'clusterProfileRef',
  'destination',
  'deletion',
  'paused',
  'drift',
]);

/** Fields whose values are copied whole or have a form of their own; the schema alone would give huge or refused ones. */
const special: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  name,
  container: name,
  affinity: fc.constantFrom({}, { nodeAffinity: {} }),
  tolerations: fc.constantFrom([], [{ operator: 'Exists' }]),
  topologySpreadConstraints: fc.constant([
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
  ]),
  limits: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '2Gi')),
  requests: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '2Gi')),
  valueFrom: fc.constant({ fieldRef: { fieldPath: 'metadata.name' } }),
  type: fc.constantFrom('ConfigMap', 'Secret', '', 'x'),
  'service-type': fc.constantFrom('', 'ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName', 'x'),
};

export const servingSpec: fc.Arbitrary<KnativeServingSpec> = specOf(structuralSchema(KnativeServingSpec)).map(
  (spec) => KnativeServingSpec.parse(spec),
);

export const eventingSpec: fc.Arbitrary<KnativeEventingSpec> = specOf(
  structuralSchema(KnativeEventingSpec),
).map((spec) => KnativeEventingSpec.parse(spec));

/** Every field of the schema that rendering reads, present or not; a field that is new in the schema is in it at once. */
function specOf({ properties = {} }: StructuralSchema): fc.Arbitrary<unknown> {
  const read = Object.entries(properties).filter(([key]) => !notRendered.has(key));
  // Several fields at once, but not so many that nearly every spec has one that is refused.
  return fc.record(
    Object.fromEntries(
      read.map(([key, schema]) => [
        key,
        fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: valueOf(schema) }),
      ]),
    ),
    { requiredKeys: [] },
  );
}

function valueOf(schema: StructuralSchema): fc.Arbitrary<unknown> {
  if (schema['x-kubernetes-int-or-string'] === true) return fc.oneof(count, fc.constant('50%'));
  const choices = schema['enum'];
  if (Array.isArray(choices)) return fc.constantFrom(...(choices as unknown[]));
  switch (schema.type ?? 'string') {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return count;
    case 'array':
      return fc.array(valueOf(schema.items ?? {}), { maxLength: 2 });
    case 'object':
      return objectOf(schema);
    default:
      return text;
  }
}

function objectOf({
  properties,
  additionalProperties,
  required = [],
}: StructuralSchema): fc.Arbitrary<unknown> {
  if (properties === undefined) {
    return fc.dictionary(name, valueOf(additionalProperties ?? {}), { maxKeys: 3 });
  }
  const model = Object.entries(properties).map(([key, schema]) => [key, special[key] ?? valueOf(schema)]);
  return fc.record(Object.fromEntries(model) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...required],
  });
}
