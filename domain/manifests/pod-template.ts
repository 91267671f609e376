import { mapListAt } from './edit.ts';
import type { JsonRecord, ManifestObject } from './object.ts';
import { isRecord, listAt, stringAt } from './object.ts';

/** Where the pod template of a workload is. */
export const podTemplatePath: readonly string[] = ['spec', 'template'];
export const podSpecPath: readonly string[] = [...podTemplatePath, 'spec'];

/** Kinds whose pods are ours to change: what a resource says about images and environment reaches all of them. */
const workloadKinds: ReadonlySet<string> = new Set(['Deployment', 'DaemonSet', 'StatefulSet', 'Job']);

export type Container = JsonRecord & { readonly name: string };

export function isWorkload(object: ManifestObject): boolean {
  return workloadKinds.has(object.kind);
}

/** The name that a resource knows a workload by; Jobs of a release only have a generateName before they are named. */
export function workloadName(object: ManifestObject): string {
  return object.metadata.generateName ?? object.metadata.name ?? '';
}

export function containersOf(object: ManifestObject): readonly Container[] {
  return listAt(object, ...podSpecPath, 'containers').filter(isContainer);
}

/** Init containers, then regular ones. */
export function allContainersOf(object: ManifestObject): readonly Container[] {
  return [...listAt(object, ...podSpecPath, 'initContainers').filter(isContainer), ...containersOf(object)];
}

/** Changes the regular containers; init containers stay. */
export function mapContainers(
  object: ManifestObject,
  change: (container: Container) => JsonRecord,
): ManifestObject {
  return mapContainerList(object, 'containers', change);
}

/** Changes regular and init containers. */
export function mapAllContainers(
  object: ManifestObject,
  change: (container: Container) => JsonRecord,
): ManifestObject {
  return mapContainerList(mapContainerList(object, 'initContainers', change), 'containers', change);
}

function mapContainerList(
  object: ManifestObject,
  list: string,
  change: (container: Container) => JsonRecord,
): ManifestObject {
  if (listAt(object, ...podSpecPath, list).length === 0) return object;
  return mapListAt(object, [...podSpecPath, list], (item) => (isContainer(item) ? change(item) : item));
}

function isContainer(value: unknown): value is Container {
  return isRecord(value) && typeof value['name'] === 'string';
}

/** An environment variable as it stands in a manifest. */
export type EnvironmentVariable = JsonRecord & { readonly name: string };

export function environmentOf(container: JsonRecord): readonly EnvironmentVariable[] {
  return listAt(container, 'env').filter(isContainer);
}

/**
 * Sets variables by name: one that exists is replaced in its place, others are appended, the last of equal names wins.
 * The Go operator keeps equal names when the container had no environment; server-side apply refuses such a list.
 */
export function withEnvironment(container: Container, variables: readonly EnvironmentVariable[]): Container {
  if (variables.length === 0) return container;
  const merged = new Map<string, EnvironmentVariable>();
  for (const variable of [...environmentOf(container), ...variables]) merged.set(variable.name, variable);
  return { ...container, env: [...merged.values()] };
}

/** Appends the list elements whose name is new: server-side apply refuses two of one name. */
export function withNamed(list: readonly unknown[], added: readonly JsonRecord[]): readonly unknown[] {
  const names = new Set(list.map((item) => stringAt(item, 'name')));
  return [...list, ...added.filter((item) => !names.has(stringAt(item, 'name')))];
}
