import { liveEnvironment, pingAdapter } from './live-environment.ts';
import type { ManifestObject } from './object.ts';
import { isRecord, stringAt } from './object.ts';

/**
 * A field that we send at creation and give up once another manager owns it. Written with `[]` for any list element,
 * such as `webhooks[].rules`.
 */
export type FieldPattern = string;

/**
 * Fields of one object that its own controllers set at run time. `all` is the whole rendered set. An environment is not
 * left out once it is given up but copied, see `withLiveEnvironment`.
 */
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
  if (object.metadata.name === pingAdapter) return ['spec.replicas', liveEnvironment];
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

/**
 * A copy of the object without the fields that a pattern names. Takes a field path of the API server as well, such as
 * `.webhooks[name="a"].rules`, and then leaves the field out of that element only. The same object when nothing fits.
 */
export function withoutField(object: ManifestObject, pattern: FieldPattern): ManifestObject {
  return removeAt(object, stepsOf(pattern)) as ManifestObject;
}

/** A key of a map, or which elements of a list. */
type Step = string | { readonly [key: string]: unknown };

function stepsOf(pattern: FieldPattern): readonly Step[] {
  const parts = pattern.matchAll(/\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]|([^.[\]]+)/g);
  return [...parts].map(([, selector, name]) =>
    selector === undefined ? (name ?? '') : selectorOf(selector),
  );
}

/** `name="a",port=80`; empty for any element. */
function selectorOf(selector: string): Step {
  const pairs = selector.matchAll(/([^=,]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return Object.fromEntries(
    [...pairs].map(([, key = '', value = '']) => [key, JSON.parse(value) as unknown]),
  );
}

function removeAt(value: unknown, steps: readonly Step[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof step !== 'string') return removeFromElements(value, step, rest);
  if (!isRecord(value) || !(step in value)) return value;
  const { [step]: child, ...others } = value;
  if (rest.length === 0) return others;
  const changed = removeAt(child, rest);
  return changed === child ? value : { ...value, [step]: changed };
}

function removeFromElements(
  value: unknown,
  selector: { readonly [key: string]: unknown },
  rest: readonly Step[],
): unknown {
  if (!Array.isArray(value)) return value;
  const chosen = Object.entries(selector);
  const changed = value.map((item: unknown) =>
    isRecord(item) && chosen.every(([key, wanted]) => item[key] === wanted) ? removeAt(item, rest) : item,
  );
  return changed.every((item, index) => item === value[index]) ? value : changed;
}
