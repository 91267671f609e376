import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { BundleRef, ReleaseIndex } from '../../domain/manifests/releases.ts';

/** Where release manifests come from. Bundles are parsed once, frozen and shared. */
export interface ReleaseSource {
  index(): Promise<ReleaseIndex>;
  /** Throws ReleaseUnavailable when there is no such bundle, ManifestInvalid when it cannot be read. */
  load(bundle: BundleRef): Promise<readonly ManifestObject[]>;
  /** Prefix of the locations in `status.manifests`. */
  readonly root: string;
}
