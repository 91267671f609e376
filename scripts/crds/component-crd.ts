import type { ComponentKind } from '../../domain/api/component-ref.ts';
import { componentApi } from '../../domain/api/component-ref.ts';
import { KnativeEventing } from '../../domain/api/knative-eventing.ts';
import { KnativeServing } from '../../domain/api/knative-serving.ts';
import { resourceRules } from '../../domain/api/resource-rules.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { structuralSchema } from './structural-schema.ts';
import type { StructuralSchema } from './structural-schema.ts';

const printerColumns = [
  { name: 'Target Cluster', type: 'string', jsonPath: '.status.targetCluster' },
  { name: 'Target Namespace', type: 'string', jsonPath: '.status.targetNamespace', priority: 1 },
  { name: 'Version', type: 'string', jsonPath: '.status.version' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

const schemas = { KnativeServing, KnativeEventing } as const;

/**
 * The CustomResourceDefinition of a kind, derived from its zod schema. It says nothing about conversion: server-side
 * apply of strategy None is refused where the Go operator's webhook block is still in place.
 */
export function componentCrd(kind: ComponentKind): ManifestObject {
  const { plural } = componentApi[kind];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${componentApi.group}` },
    spec: {
      group: componentApi.group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [
        {
          name: componentApi.version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: printerColumns,
          schema: { openAPIV3Schema: resourceSchema(kind) },
        },
      ],
    },
  };
}

function resourceSchema(kind: ComponentKind): StructuralSchema {
  const { description, shape } = schemas[kind];
  return {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    'x-kubernetes-validations': resourceRules,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: structuralSchema(shape.spec),
      status: structuralSchema(shape.status),
    },
  };
}
