import type { BundleRef } from './releases.ts';
import { bundlePath } from './releases.ts';

/** Where the objects of a release come from. */
export interface ReleaseSources {
  readonly bundles: readonly BundleRef[];
  /** Locations that replace the base bundle; empty when it is used. */
  readonly manifestUrls: readonly string[];
  readonly additionalUrls: readonly string[];
}

/**
 * `status.manifests` in the Go operator's form: the base, then all additional locations, then all ingress or source
 * bundles, each as one comma-joined text. `root` is the release directory as the reader knows it; empty gives
 * relative paths. The security guard is not recorded, as the Go operator does not; nor is a bundle that does not
 * exist, because one such entry stops its clean-up.
 */
export function manifestLocations(sources: ReleaseSources, root: string): readonly string[] {
  const prefix = root === '' ? '' : `${root.replace(/\/+$/, '')}/`;
  const paths = (bundles: readonly BundleRef[]) => bundles.map((bundle) => `${prefix}${bundlePath(bundle)}`);
  const base = sources.bundles.filter(({ component }) => component.startsWith('knative-'));
  const plugins = sources.bundles.filter((bundle) => 'plugin' in bundle);
  const first = sources.manifestUrls.length > 0 ? sources.manifestUrls : paths(base);
  return [first, sources.additionalUrls, paths(plugins)]
    .map((locations) => locations.join(','))
    .filter((location, index) => index === 0 || location !== '');
}

/** Locations of `spec.manifests` or `spec.additionalManifests` with the version filled in; empty ones are left out. */
export function locationUrls(
  locations: readonly { readonly URL: string }[] | undefined,
  version: string,
): readonly string[] {
  return (locations ?? [])
    .map(({ URL }) => URL.replaceAll('${VERSION}', () => version))
    .filter((url) => url !== '');
}
