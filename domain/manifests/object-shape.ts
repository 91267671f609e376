import { OperatorError } from '../errors.ts';
import type { JsonRecord, ManifestObject } from './object.ts';
import { isRecord, recordAt, stringAt } from './object.ts';
import { isWorkload, podSpecPath } from './pod-template.ts';

/**
 * The value as a Kubernetes object whose parts are what their readers expect: metadata and its maps, ConfigMap data,
 * pod templates. Throws ManifestInvalid naming the object, the field and what is there.
 */
export function checkObjectShape(value: unknown): ManifestObject {
  if (!isManifestObject(value)) {
    throw invalid(nameForPeople(value), 'it has no apiVersion, kind or metadata');
  }
  const { name, generateName } = value.metadata;
  if (!isName(name) && !(value.kind === 'Job' && isName(generateName))) {
    throw invalid(`${value.apiVersion} ${value.kind}`, 'it has no metadata.name');
  }
  requireStringMap(value, 'metadata', 'labels');
  requireStringMap(value, 'metadata', 'annotations');
  if (value.kind === 'ConfigMap') requireStringMap(value, 'data');
  if (isWorkload(value)) requirePodSpec(value);
  return value;
}

/** For messages about something that may be no object: kind and name, as far as they are known. */
export function nameForPeople(value: unknown): string {
  const kind = stringAt(value, 'kind') ?? 'object without kind';
  const name = stringAt(value, 'metadata', 'name') ?? stringAt(value, 'metadata', 'generateName');
  return name === undefined ? kind : `${kind} ${name}`;
}

function isManifestObject(value: unknown): value is ManifestObject {
  return (
    isRecord(value) && isName(value['apiVersion']) && isName(value['kind']) && isRecord(value['metadata'])
  );
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function requireStringMap(object: ManifestObject, ...path: readonly string[]): void {
  const parent = recordAt(object, ...path.slice(0, -1));
  const map = parent[path.at(-1) ?? ''];
  if (map === undefined) return;
  if (!isRecord(map)) throw invalid(nameForPeople(object), `${path.join('.')} is not a map`);
  const wrong = Object.entries(map).find(([, item]) => typeof item !== 'string');
  if (wrong === undefined) return;
  throw invalid(
    nameForPeople(object),
    `${path.join('.')}.${wrong[0]} is not a string; quote it in the manifest`,
  );
}

function requirePodSpec(object: ManifestObject): void {
  const podSpec = podSpecOf(object);
  for (const list of ['initContainers', 'containers', 'volumes', 'imagePullSecrets']) {
    const items = podSpec[list];
    if (items !== undefined && !isNamedList(items)) {
      throw invalid(nameForPeople(object), `${podSpecPath.join('.')}.${list} is not a list of named maps`);
    }
  }
}

function podSpecOf(object: ManifestObject): JsonRecord {
  let current: unknown = object;
  for (const key of podSpecPath) {
    current = isRecord(current) ? current[key] : undefined;
    if (!isRecord(current)) throw invalid(nameForPeople(object), `${podSpecPath.join('.')} is not a map`);
  }
  return recordAt(object, ...podSpecPath);
}

function isNamedList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof recordAt(item)['name'] === 'string');
}

function invalid(subject: string, problem: string): OperatorError {
  return new OperatorError('ManifestInvalid', `the manifest of ${subject} cannot be used: ${problem}`);
}
