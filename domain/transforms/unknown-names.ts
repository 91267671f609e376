import type { ManifestObject } from '../manifests/object.ts';
import {
  allContainersOf,
  containersOf,
  environmentOf,
  isWorkload,
  workloadName,
} from '../manifests/pod-template.ts';
import type { TransformContext } from '../manifests/transform.ts';
import { configuredImages } from './config-map-images.ts';
import { configKeysOf } from './config-maps.ts';
import { workloadOverrides } from './override-list.ts';
import { overriddenName } from './workloads.ts';

type Spec = TransformContext['spec'];

/** Names that one part of a spec may use, and those it does use. */
interface NameUse {
  readonly field: string;
  readonly what: string;
  readonly used: readonly string[];
  readonly known: readonly string[];
  /** Further names that are understood but not worth naming. */
  readonly accepted?: readonly string[];
}

/**
 * A warning for every name in the spec that matches nothing in the release, with the names that would. The objects are
 * those of the release as their manifests have them. Such names have no other effect.
 */
export function unknownNames(spec: Spec, objects: readonly ManifestObject[]): readonly string[] {
  return [
    workloadNames(spec, objects),
    ...containerNames(spec, objects),
    resourceNames(spec, objects),
    configNames(spec, objects),
    namesOfKind('spec.services', spec.services, 'Service', objects),
    namesOfKind('spec.podDisruptionBudgets', spec.podDisruptionBudgets, 'PodDisruptionBudget', objects),
    registryKeys(spec, objects),
  ].flatMap(warningsOf);
}

function warningsOf({ field, what, used, known, accepted = [] }: NameUse): readonly string[] {
  const understood = new Set([...known, ...accepted]);
  const names = [...new Set(known)].toSorted();
  const listed = names.length === 0 ? 'there is none' : `known: ${names.join(', ')}`;
  return [...new Set(used)]
    .filter((name) => !understood.has(name))
    .map(
      (name) => `${field} names "${name}", which is no ${what} of this release and has no effect; ${listed}`,
    );
}

function workloadNames(spec: Spec, objects: readonly ManifestObject[]): NameUse {
  return {
    field: 'spec.workloads',
    what: 'Deployment, StatefulSet or Job (by generateName)',
    used: workloadOverrides(spec).map(({ name }) => name),
    known: objects.map(overriddenName).filter((name) => name !== undefined),
  };
}

function containerNames(spec: Spec, objects: readonly ManifestObject[]): readonly NameUse[] {
  return workloadOverrides(spec).flatMap((entry) => {
    const targets = objects.filter((object) => overriddenName(object) === entry.name);
    if (targets.length === 0) return [];
    const lists = [entry.resources, entry.env, entry.readinessProbes, entry.livenessProbes];
    return {
      field: `spec.workloads entry ${entry.name}`,
      what: 'container of that workload',
      used: lists.flatMap((list) => (list ?? []).map(({ container }) => container)),
      known: containerNamesOf(targets),
    };
  });
}

function resourceNames(spec: Spec, objects: readonly ManifestObject[]): NameUse {
  return {
    field: 'spec.resources',
    what: 'container of a Deployment',
    used: (spec.resources ?? []).map(({ container }) => container),
    known: containerNamesOf(objects.filter(({ kind }) => kind === 'Deployment')),
  };
}

function configNames(spec: Spec, objects: readonly ManifestObject[]): NameUse {
  const configMaps = objects.filter(({ kind }) => kind === 'ConfigMap').map(nameOf);
  return {
    field: 'spec.config',
    what: 'ConfigMap',
    used: Object.keys(spec.config ?? {}),
    known: configMaps,
    accepted: configMaps.flatMap(configKeysOf),
  };
}

function namesOfKind(
  field: string,
  entries: readonly { readonly name: string }[] | undefined,
  kind: string,
  objects: readonly ManifestObject[],
): NameUse {
  const known = objects.filter((object) => object.kind === kind).map(nameOf);
  return { field, what: kind, used: (entries ?? []).map(({ name }) => name), known };
}

function registryKeys(spec: Spec, objects: readonly ManifestObject[]): NameUse {
  const containers = objects
    .filter(isWorkload)
    .flatMap((object) => allContainersOf(object).map((container) => ({ object, container })));
  const qualified = containers.map(({ object, container }) => `${workloadName(object)}/${container.name}`);
  const variables = containers.flatMap(({ container }) => environmentOf(container));
  return {
    field: 'spec.registry.override',
    what: 'container, workload/container, image or environment variable',
    used: Object.keys(spec.registry?.override ?? {}),
    known: [...containers.map(({ container }) => container.name), ...imageNames(objects)],
    accepted: [...qualified, ...variables.map(({ name }) => name)],
  };
}

function imageNames(objects: readonly ManifestObject[]): readonly string[] {
  const cached = objects.filter(({ kind }) => kind === 'Image').map(nameOf);
  return [...cached, ...objects.flatMap(configuredImages).map(({ name }) => name)];
}

function containerNamesOf(objects: readonly ManifestObject[]): readonly string[] {
  return objects.flatMap(containersOf).map(({ name }) => name);
}

function nameOf({ metadata }: ManifestObject): string {
  return metadata.name ?? '';
}
