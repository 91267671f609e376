import { OperatorError } from '../errors.ts';
import { checkObjectShape, nameForPeople } from './object-shape.ts';
import type { JsonRecord, ManifestObject } from './object.ts';
import { isRecord, listAt, recordAt } from './object.ts';

/** Metadata that only an API server writes. */
const serverMetadata: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
]);

/** Free values inside a CRD schema, where null is content. */
const freeSchemaFields: ReadonlySet<string> = new Set(['default', 'enum', 'example']);

/**
 * The object as it may be sent by server-side apply: without nulls, status and server metadata, `stringData` of a
 * Secret folded into `data`. What a controller on the cluster fills in is left out for good: `rules` of an aggregated
 * ClusterRole (sending them, even empty, takes permissions away until the aggregation runs again) and every
 * `caBundle`. Throws ManifestInvalid for what is no Kubernetes object or has no name.
 */
export function prepareObject(object: unknown): ManifestObject {
  const checked = checkObjectShape(withoutNulls(withEmptyTexts(object), isCrd(object)));
  const { status: _status, metadata, ...rest } = checked;
  const kept = Object.entries(metadata).filter(([key]) => !serverMetadata.has(key));
  const prepared: ManifestObject = { ...rest, ...bare(checked), metadata: Object.fromEntries(kept) };
  switch (prepared.kind) {
    case 'ClusterRole':
      return withoutAggregatedRules(prepared);
    case 'Secret':
      return withEncodedData(prepared);
    case 'MutatingWebhookConfiguration':
    case 'ValidatingWebhookConfiguration':
      return { ...prepared, webhooks: listAt(prepared, 'webhooks').map(withoutCaBundle) };
    case 'CustomResourceDefinition':
      return withoutConversionCaBundle(prepared);
    case 'APIService':
      return withoutApiServiceCaBundle(prepared);
    default:
      return prepared;
  }
}

function bare({ apiVersion, kind }: ManifestObject): { apiVersion: string; kind: string } {
  return { apiVersion, kind };
}

function isCrd(object: unknown): boolean {
  return isRecord(object) && object['kind'] === 'CustomResourceDefinition';
}

/** A ConfigMap key without a value stands for an empty text, as the API server reads it. */
function withEmptyTexts(object: unknown): unknown {
  if (!isRecord(object) || object['kind'] !== 'ConfigMap' || !isRecord(object['data'])) return object;
  const data = Object.entries(object['data']).map(([key, value]) => [key, value ?? '']);
  return { ...object, data: Object.fromEntries(data) };
}

function withoutNulls(value: unknown, inCrd: boolean): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => item !== null).map((item) => withoutNulls(item, inCrd));
  }
  if (!isRecord(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (inCrd && freeSchemaFields.has(key)) kept.push([key, item]);
    else if (item !== null && item !== undefined) kept.push([key, withoutNulls(item, inCrd)]);
  }
  return Object.fromEntries(kept);
}

function withoutAggregatedRules(role: ManifestObject): ManifestObject {
  if (!isRecord(role['aggregationRule'])) return role;
  const { rules: _rules, ...rest } = role;
  return { ...rest, ...bare(role), metadata: role.metadata };
}

function withoutCaBundle(holder: unknown): unknown {
  const { caBundle: _caBundle, ...client } = recordAt(holder, 'clientConfig');
  return isRecord(holder) && 'clientConfig' in holder ? { ...holder, clientConfig: client } : holder;
}

function withoutConversionCaBundle(crd: ManifestObject): ManifestObject {
  const webhook = recordAt(crd, 'spec', 'conversion', 'webhook');
  if (!('caBundle' in recordAt(webhook, 'clientConfig'))) return crd;
  const conversion = { ...recordAt(crd, 'spec', 'conversion'), webhook: withoutCaBundle(webhook) };
  return { ...crd, spec: { ...recordAt(crd, 'spec'), conversion } };
}

function withoutApiServiceCaBundle(service: ManifestObject): ManifestObject {
  const { caBundle: _caBundle, ...spec } = recordAt(service, 'spec');
  return { ...service, spec };
}

function withEncodedData(secret: ManifestObject): ManifestObject {
  const { stringData, ...rest } = secret;
  if (stringData === undefined) return secret;
  const encoded = Object.entries(recordAt(secret, 'stringData')).map(([key, value]) => {
    if (typeof value === 'string') return [key, base64(value)] as const;
    throw new OperatorError(
      'ManifestInvalid',
      `${nameForPeople(secret)}: stringData.${key} is not a string; quote it in the manifest`,
    );
  });
  const data: JsonRecord = { ...recordAt(secret, 'data'), ...Object.fromEntries(encoded) };
  return { ...rest, ...bare(secret), metadata: secret.metadata, data };
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
