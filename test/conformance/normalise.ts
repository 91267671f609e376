import { groupOf, isRecord, listAt, recordAt } from '../../domain/manifests/object.ts';
import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';

/** Written by the API server, or different in each run. */
const droppedMetadata = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
];
const droppedAnnotations =
  /^(manifestival|kubectl\.kubernetes\.io\/last-applied-configuration$|deployment\.kubernetes\.io\/revision$|fleet\.knative\.dev\/)/;
const generatedJobLabels = [
  'batch.kubernetes.io/controller-uid',
  'controller-uid',
  'batch.kubernetes.io/job-name',
  'job-name',
];

/** What remains of a stored object once everything that differs between two runs is taken out; for both sides. */
export function normalise(object: ManifestObject): JsonRecord {
  const { status: _status, metadata, ...rest } = object;
  return specOf({ ...rest, metadata: normaliseMetadata(metadata) }, object);
}

function normaliseMetadata(metadata: ManifestObject['metadata']): JsonRecord {
  const { annotations, ownerReferences, ...rest } = without(metadata, droppedMetadata);
  const kept = Object.entries(recordAt(annotations)).filter(([key]) => !droppedAnnotations.test(key));
  const owners = Array.isArray(ownerReferences)
    ? ownerReferences.map((owner) => JSON.stringify(sorted(without(recordAt(owner), ['uid'])))).toSorted()
    : [];
  return {
    ...rest,
    ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }),
    ...(owners.length === 0 ? {} : { ownerReferences: owners }),
  };
}

function specOf(fields: JsonRecord, { apiVersion, kind }: ManifestObject): JsonRecord {
  const spec = recordAt(fields, 'spec');
  switch (`${groupOf(apiVersion)}/${kind}`) {
    case '/Service':
      return { ...fields, spec: serviceSpec(spec) };
    case 'batch/Job':
      return { ...fields, spec: jobSpec(spec) };
    case 'apiextensions.k8s.io/CustomResourceDefinition':
      return { ...fields, spec: definitionSpec(spec) };
    default:
      return fields;
  }
}

function serviceSpec(spec: JsonRecord): JsonRecord {
  const kept = without(spec, ['clusterIP', 'clusterIPs', 'healthCheckNodePort']);
  if (spec['type'] !== 'LoadBalancer') return kept;
  return { ...kept, ports: listAt(spec, 'ports').map((port) => without(recordAt(port), ['nodePort'])) };
}

function jobSpec(spec: JsonRecord): JsonRecord {
  const { labels, ...metadata } = recordAt(spec, 'template', 'metadata');
  const kept = without(recordAt(labels), generatedJobLabels);
  return {
    ...without(spec, ['selector']),
    template: {
      ...recordAt(spec, 'template'),
      metadata: Object.keys(kept).length === 0 ? metadata : { ...metadata, labels: kept },
    },
  };
}

function definitionSpec(spec: JsonRecord): JsonRecord {
  const isDefault = JSON.stringify(spec['conversion']) === '{"strategy":"None"}';
  return isDefault ? without(spec, ['conversion']) : spec;
}

function without(record: Readonly<object>, fields: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !fields.includes(key)));
}

function sorted(record: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(record)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, isRecord(value) ? sorted(value) : value]),
  );
}
