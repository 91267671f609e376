import type { ManifestObject } from './object.ts';
import { isRecord, stringAt } from './object.ts';

/**
 * A field that we send at creation and give up once another manager owns it. Written with `[]` for any list element,
 * such as `webhooks[].rules`.
 */
export type FieldPattern = string;

/** The ping adapter is scaled and configured by the eventing controller at run time. */
const pingAdapter = 'pingsource-mt-adapter';

/** Fields of one object that its own controllers set at run time. `all` is the whole rendered set. */
export function cededFields(object: ManifestObject, all: readonly ManifestObject[]): readonly FieldPattern[] {
  switch (object.kind) {
    case 'MutatingWebhookConfiguration':
    case 'ValidatingWebhookConfiguration':
      return ['webhooks[].rules', 'webhooks[].namespaceSelector', 'webhooks[].clientConfig.caBundle'];
    case 'Deployment':
    case 'StatefulSet':
      return workloadFields(object, all);
    default:
      return [];
  }
}

function workloadFields(object: ManifestObject, all: readonly ManifestObject[]): readonly FieldPattern[] {
  if (object.metadata.name === pingAdapter) return ['spec.replicas', 'spec.template.spec.containers[].env'];
  return all.some((other) => scales(other, object)) ? ['spec.replicas'] : [];
}

function scales(scaler: ManifestObject, workload: ManifestObject): boolean {
  return (
    scaler.kind === 'HorizontalPodAutoscaler' &&
    scaler.metadata.namespace === workload.metadata.namespace &&
    stringAt(scaler, 'spec', 'scaleTargetRef', 'kind') === workload.kind &&
    stringAt(scaler, 'spec', 'scaleTargetRef', 'name') === workload.metadata.name
  );
}

/** The pattern that covers a field path as the API server writes it, such as `.webhooks[name="a"].rules`. */
export function coveringPattern(field: string, patterns: readonly FieldPattern[]): FieldPattern | undefined {
  const path = field.replace(/^\./, '').replaceAll(/\[[^\]]*\]/g, '[]');
  return patterns.find(
    (pattern) => path === pattern || path.startsWith(`${pattern}.`) || path.startsWith(`${pattern}[`),
  );
}

/** A copy of the object without the fields that a pattern names. */
export function withoutField(object: ManifestObject, pattern: FieldPattern): ManifestObject {
  const steps = pattern
    .split('.')
    .flatMap((step) => (step.endsWith('[]') ? [step.slice(0, -2), '[]'] : [step]));
  return removeAt(object, steps) as ManifestObject;
}

function removeAt(value: unknown, steps: readonly string[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step === '[]') return Array.isArray(value) ? value.map((item) => removeAt(item, rest)) : value;
  if (!isRecord(value) || !(step in value)) return value;
  const { [step]: child, ...others } = value;
  return rest.length === 0 ? others : { ...others, [step]: removeAt(child, rest) };
}
