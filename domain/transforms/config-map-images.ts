import { setAt } from '../manifests/edit.ts';
import type { ManifestObject } from '../manifests/object.ts';
import { recordAt, stringAt } from '../manifests/object.ts';

/** An image that a component reads from a ConfigMap and gives to Pods that it makes at run time. */
export interface ConfiguredImage {
  /** In `data`. */
  readonly key: string;
  /** What `spec.registry.override` calls it. */
  readonly name: string;
}

/** Serving reads the image of the proxy beside every user container here; its caching Image has the same name. */
const queueProxy: ConfiguredImage = { key: 'queue-sidecar-image', name: 'queue-proxy' };

/** Eventing takes the image of each kind of IntegrationSource, IntegrationSink and EventTransform from here. */
const catalogues: ReadonlySet<string> = new Set([
  'eventing-integrations-images',
  'eventing-transformations-images',
]);

/** The images in an object; none unless it is a ConfigMap that is known to hold some. */
export function configuredImages(object: ManifestObject): readonly ConfiguredImage[] {
  const { name = '' } = object.metadata;
  if (object.kind !== 'ConfigMap') return [];
  if (name === 'config-deployment') {
    return stringAt(object, 'data', queueProxy.key) === undefined ? [] : [queueProxy];
  }
  return catalogues.has(name) ? Object.keys(recordAt(object, 'data')).map((key) => ({ key, name: key })) : [];
}

/** The ConfigMap with other images; undefined keeps one. */
export function withConfiguredImages(
  object: ManifestObject,
  imageFor: (name: string, old: string) => string | undefined,
): ManifestObject {
  return configuredImages(object).reduce((changed, { key, name }) => {
    const old = stringAt(changed, 'data', key);
    const image = old === undefined ? undefined : imageFor(name, old);
    return image === undefined ? changed : setAt(changed, ['data', key], image);
  }, object);
}
