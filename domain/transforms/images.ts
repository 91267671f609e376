import type { Registry } from '../api/component-spec.ts';
import { mapListAt, setAt } from '../manifests/edit.ts';
import type { ManifestObject } from '../manifests/object.ts';
import { listAt, recordAt, stringAt } from '../manifests/object.ts';
import type { Container } from '../manifests/pod-template.ts';
import {
  isWorkload,
  mapAllContainers,
  podSpecPath,
  withNamed,
  workloadName,
} from '../manifests/pod-template.ts';
import type { Transform } from '../manifests/transform.ts';
import { withConfiguredImages } from './config-map-images.ts';

const cachingApi = 'caching.internal.knative.dev/v1alpha1';

/**
 * Images and pull secrets of `spec.registry`. An exact image by `workload/container`, then by container, wins over the
 * template; environment variables are set by exact name only. Other than in the Go operator, init containers are reached
 * too, and so are the images that components read from ConfigMaps: with a private registry, nothing else can be pulled.
 * `spec.config` still wins because it is applied later.
 */
export const images: Transform = (object, { spec: { registry } }) => {
  if (registry === undefined) return object;
  if (isWorkload(object)) return withPullSecrets(withImages(object, registry), podSpecPath, registry);
  if (object.kind === 'Image' && object.apiVersion === cachingApi) {
    return withPullSecrets(withCachedImage(object, registry), ['spec'], registry);
  }
  return withConfiguredImages(object, (name, old) => imageOf(registry, [name], old));
};

function withImages(object: ManifestObject, registry: Registry): ManifestObject {
  const workload = workloadName(object);
  return mapAllContainers(object, (container) => {
    const old = stringAt(container, 'image') ?? '';
    const image = imageOf(registry, [`${workload}/${container.name}`, container.name], old);
    const renamed = image === undefined ? container : { ...container, image };
    return withOverriddenVariables(renamed, registry.override ?? {});
  });
}

function withOverriddenVariables(
  container: Container,
  override: Readonly<Record<string, string>>,
): Container {
  return mapListAt(container, ['env'], (variable) => {
    const name = stringAt(variable, 'name') ?? '';
    return Object.hasOwn(override, name) ? { name, value: override[name] } : variable;
  });
}

function withCachedImage(object: ManifestObject, registry: Registry): ManifestObject {
  const image = imageOf(registry, [object.metadata.name ?? ''], stringAt(object, 'spec', 'image') ?? '');
  return image === undefined ? object : setAt(object, ['spec', 'image'], image);
}

/** The image for the last of the keys that names what it is for; undefined keeps the old one. */
function imageOf(registry: Registry, keys: readonly string[], old: string): string | undefined {
  const override = registry.override ?? {};
  const key = keys.find((candidate) => Object.hasOwn(override, candidate));
  if (key !== undefined) return override[key];
  if (registry.default === undefined || registry.default === '') return undefined;
  const name = imageBaseName(old);
  return registry.default.replaceAll('${NAME}', () => (name === '' ? (keys.at(-1) ?? '') : name));
}

/** Last path segment of an image reference without tag and digest; empty for a reference without a path. */
export function imageBaseName(image: string): string {
  const slash = image.lastIndexOf('/');
  return slash < 0 ? '' : image.slice(slash + 1).replace(/[:@].*$/, '');
}

function withPullSecrets(
  object: ManifestObject,
  holder: readonly string[],
  registry: Registry,
): ManifestObject {
  const secrets = registry.imagePullSecrets ?? [];
  if (secrets.length === 0) return object;
  const path = [...holder, 'imagePullSecrets'];
  return setAt(object, path, withNamed(listAt(recordAt(object, ...holder), 'imagePullSecrets'), secrets));
}
